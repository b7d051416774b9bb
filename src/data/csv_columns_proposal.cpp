// Which columns of a table without a header may be what, by the values of its first lines.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

// What all values of a column have in common.
struct Look {
  bool is_fraction = true;  // numbers with digits behind a point or comma
  bool is_date = true, is_clock = true, is_epoch = true;
  double largest = 0;

  void see(std::string_view field) {
    auto number = number_from(field);
    if (!number) number = decimal_comma_from(field, false);
    is_fraction &= number && field.find_first_of(".,") != std::string_view::npos;
    is_epoch &= number && *number >= 1e8 && time_from(field);
    is_date &= !number && time_from(field);
    is_clock &= !number && time_from(fmt::format("2000-01-01 {}", trimmed(field)));
    if (number) largest = std::max(largest, std::abs(*number));
  }
};

std::vector<Look> looks_of(std::string_view head) {
  constexpr int enough = 16;
  const char separator = find_separator(head);
  std::vector<Look> looks;
  std::vector<std::string_view> fields;
  for (int i = 0; i < enough && !head.empty(); ++i) {
    const std::string_view line = take_record(head, separator);
    if (head.empty() && i > 0 && !line.empty() && i + 1 < enough) break;  // it may be cut off
    if (trimmed(line).empty()) continue;
    if (!split_fields(line, separator, fields)) return {};
    if (looks.empty()) looks.resize(fields.size());
    if (fields.size() != looks.size()) return {};
    for (std::size_t k = 0; k < fields.size(); ++k) looks[k].see(fields[k]);
  }
  return looks;
}

std::string time_of(const std::vector<Look>& looks) {
  for (std::size_t k = 0; k < looks.size(); ++k) {
    if (looks[k].is_epoch) return fmt::format(",time={}", k + 1);
    if (!looks[k].is_date) continue;
    const bool has_clock = k + 1 < looks.size() && looks[k + 1].is_clock;
    return has_clock ? fmt::format(",time={}+{}", k + 1, k + 2) : fmt::format(",time={}", k + 1);
  }
  return {};
}

}  // namespace

std::string propose_columns(std::string_view head) {
  const std::vector<Look> looks = looks_of(head);
  std::vector<std::size_t> degrees;
  for (std::size_t k = 0; k < looks.size(); ++k) {
    if (looks[k].is_fraction && looks[k].largest <= 180) degrees.push_back(k);
  }
  if (degrees.size() < 2) return {};
  std::size_t lat = degrees[0], lon = degrees[1];
  if (looks[lat].largest > 90) std::swap(lat, lon);
  if (looks[lat].largest > 90) return {};
  return fmt::format("lat={},lon={}{}", lat + 1, lon + 1, time_of(looks));
}

}  // namespace tsmini
