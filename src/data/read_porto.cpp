// The CSV of the ECML/PKDD 2015 taxi challenge: a trip per line, its points as a JSON array in the
// column POLYLINE, 15 s apart from TIMESTAMP on. Trips marked MISSING_DATA have holes and are
// dropped; so are empty ones. The other columns (TAXI_ID, CALL_TYPE, …) are attributes.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/csv_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

constexpr std::int64_t seconds_between_points = 15;

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool take(std::string_view& text, char wanted) {
  skip_blanks(text);
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

bool is_end(std::string_view& text) {
  skip_blanks(text);
  return text.empty();
}

class PortoReader : public LineReader {
 public:
  PortoReader(ByteSource& source, const ReadOptions& options) : LineReader(source, options, 1) {
    std::vector<std::string_view> names;
    std::string_view head = text_with_header(source, options);
    const std::string_view header = take_line(head);
    split_fields(header, ',', names);
    const auto column = [&](std::string_view wanted) {
      const auto found = std::find_if(names.begin(), names.end(), [&](std::string_view name) {
        return equal_ignoring_case(trimmed(name), wanted);
      });
      return static_cast<std::size_t>(found - names.begin());
    };
    columns_ = names.size();
    polyline_ = column("POLYLINE");
    id_ = column("TRIP_ID");
    timestamp_ = column("TIMESTAMP");
    missing_ = column("MISSING_DATA");
    std::vector<std::string> others;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < columns_; ++i) {
      const bool is_read = i == polyline_ || i == id_ || i == timestamp_ || i == missing_;
      if (is_read) continue;
      others.push_back(attribute_name(value_of(header, names[i]), i));
      places.push_back(i);
    }
    others = distinct_names(std::move(others));
    for (std::size_t k = 0; k < places.size(); ++k) attributes_.push_back({others[k], places[k]});
    if (polyline_ == columns_) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}:1: the header has no column POLYLINE", source.name()),
                  "the first line must name the columns, as in the challenge's train.csv");
    }
  }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local std::vector<std::string_view> fields;
    builder.begin(number);
    if (!split_fields(line, ',', fields)) return builder.reject("a quote is not closed");
    if (fields.size() != columns_) {
      return builder.reject(
          fmt::format("{} columns where the header has {}", fields.size(), columns_));
    }
    if (missing_ < columns_ && equal_ignoring_case(trimmed(fields[missing_]), "true")) {
      return builder.drop(Drop::missing_data);
    }
    if (!parse_polyline(fields[polyline_], builder)) return;
    if (timestamp_ < columns_) {
      const auto start = integer_from(fields[timestamp_]);
      if (!start || *start < -100'000'000'000 || *start > 100'000'000'000) {
        return builder.reject(fmt::format("TIMESTAMP '{}' is not a time in unix seconds",
                                          printable(fields[timestamp_])));
      }
      const auto count = static_cast<std::int64_t>(builder.point_count());
      for (std::int64_t i = 0; i < count; ++i) {
        builder.add_time(*start + i * seconds_between_points);
      }
    }
    for (const NamedColumn& attribute : attributes_) {
      add_untyped(attribute.name, value_of(line, fields[attribute.place]), builder);
    }
    if (id_ == columns_) return builder.end({});
    const std::string_view id = value_of(line, fields[id_]);
    if (id.find('"') == std::string_view::npos) return builder.end(id);
    builder.end(unquoted(id));
  }

  // [[lon,lat],[lon,lat],…]; false where a problem was noted.
  static bool parse_polyline(std::string_view text, TrackBuilder& builder) {
    const std::string_view whole = text;
    const auto fail = [&] {
      const auto at = static_cast<std::size_t>(text.data() - whole.data());
      builder.reject(fmt::format("POLYLINE is not an array of [longitude,latitude] at '{}'",
                                 printable(whole.substr(std::min(at, whole.size()), 20))));
      return false;
    };
    if (!take(text, '[')) return fail();
    if (take(text, ']')) return is_end(text) || fail();
    do {
      double lon = 0, lat = 0;
      if (!take(text, '[')) return fail();
      skip_blanks(text);
      if (!take_number(text, lon) || !take(text, ',')) return fail();
      skip_blanks(text);
      if (!take_number(text, lat) || !take(text, ']')) return fail();
      if (!builder.add(lon, lat)) return false;
    } while (take(text, ','));
    return (take(text, ']') && is_end(text)) || fail();
  }

  std::vector<NamedColumn> attributes_;
  std::size_t columns_ = 0;  // in the header; the places below equal it where a column is missing
  std::size_t polyline_ = 0, id_ = 0, timestamp_ = 0, missing_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_porto_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<PortoReader>(source, options);
}

}  // namespace tsmini
