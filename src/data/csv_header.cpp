#include "data/csv_header.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/csv_text.h"
#include "base/find_name.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

// The places, from 0, of the columns whose names fit.
template <class Fits>
std::vector<std::size_t> places_where(const std::vector<std::string_view>& names,
                                      const Fits& fits) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (fits(names[i])) places.push_back(i);
  }
  return places;
}

}  // namespace

bool may_be_header(std::string_view beginning) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r';
  };
  if (beginning.find_first_of("{[<") == 0) return false;
  if (std::any_of(beginning.begin(), beginning.end(), is_control)) return false;
  std::vector<std::string_view> fields;  // the last may be cut, in quotes or not
  split_fields(beginning, find_separator(beginning), fields);
  return fields.size() > 2;
}

CsvHeader::CsvHeader(std::string_view line, char separator, std::string file_name)
    : file_name_(std::move(file_name)) {
  split_fields(line, separator, names_);
  for (std::string_view& name : names_) name = value_of(line, name);
}

std::size_t CsvHeader::place_of(std::string_view column) const {
  // Numbers first: the "names" of a file without a header are the values of its first row.
  const auto number = integer_from(column);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(names_.size())) {
    return static_cast<std::size_t>(*number - 1);
  }
  if (const auto found = find_name(names_, column, trimmed)) {
    require_single(*found);
    return *found;
  }
  throw BadHeader(file_name_, fmt::format("there is no column '{}'", printable(column)),
                  fmt::format("the first line has {}: {}", names_.size(),
                              printable(fmt::format("{}", fmt::join(names_, ", ")), 200)));
}

void CsvHeader::require_single(std::size_t place) const {
  const auto same = places_where(
      names_, [&](std::string_view name) { return trimmed(name) == trimmed(names_[place]); });
  if (same.size() > 1) refuse(same, "NAME");
}

void CsvHeader::require_single_for(std::string_view role, std::size_t place) const {
  const auto same = places_where(names_, [&](std::string_view name) {
    return equal_ignoring_case(trimmed(name), trimmed(names_[place]));
  });
  if (same.size() > 1) refuse(same, role);
}

void CsvHeader::refuse(const std::vector<std::size_t>& places, std::string_view role) const {
  throw BadHeader(file_name_,
                  fmt::format("the columns {} and {} are both called '{}'", places[0] + 1,
                              places[1] + 1, printable(names_[places[0]])),
                  fmt::format("say which one is meant by its number: `columns={}={}`{}", role,
                              places[0] + 1, role == "NAME" ? ", and use that NAME" : ""));
}

std::string attribute_name(std::string_view field, std::size_t place) {
  return trimmed(field).empty() ? fmt::format("column{}", place + 1) : as_utf8(unquoted(field));
}

std::vector<std::string> distinct_names(std::vector<std::string> names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  std::unordered_map<std::string, std::size_t> count;
  for (std::string& name : names) {
    std::size_t& number = count[name];
    if (++number == 1 || name.empty()) continue;
    std::string other = fmt::format("{}_{}", name, number);
    while (!taken.insert(other).second) other = fmt::format("{}_{}", name, ++number);
    name = std::move(other);
  }
  return names;
}

}  // namespace tsmini
