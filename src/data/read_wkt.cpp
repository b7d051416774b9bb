// A geometry per line in well-known text, with an id before it or not:
//
//   LINESTRING (-8.61 41.14, -8.62 41.15)
//   trip-7;SRID=4326;LINESTRING M (-8.61 41.14 1372636858, -8.62 41.15 1372636873)
//   "trip-8","MULTILINESTRING ((…), (…))"
//
// M is taken as the time; the lines of a MULTILINESTRING become ID_0, ID_1, …; other geometries are
// counted and dropped. A first line without a geometry is a header. Where it names several columns
// besides the geometry's, they are attributes, but for that of the id. Degrees are WGS84: another
// SRID than 4326 is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/csv_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

constexpr std::array<std::string_view, 7> geometry_names{
    "MULTILINESTRING", "LINESTRING", "MULTIPOLYGON",      "POLYGON",
    "MULTIPOINT",      "POINT",      "GEOMETRYCOLLECTION"};

// Where a geometry's name begins, and which it is.
struct Found {
  std::size_t at = std::string_view::npos;
  std::string_view name;
};

// A geometry's name counts only before its coordinates: ids and headers may hold the same word.
bool opens_geometry(std::string_view after_name) {
  const std::size_t next = after_name.find_first_not_of(" \tZMzm");
  if (next == std::string_view::npos) return false;
  return after_name[next] == '(' || equal_ignoring_case(after_name.substr(next, 5), "EMPTY");
}

Found find_geometry(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const std::string_view name : geometry_names) {
      if (equal_ignoring_case(line.substr(i, name.size()), name) &&
          opens_geometry(line.substr(i + name.size()))) {
        return {i, name};
      }
    }
  }
  return {};
}

std::string_view without_borders(std::string_view text) {
  constexpr std::string_view around = " \t\r\"',;|";
  const std::size_t first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(around) - first + 1);
}

// What stands before the geometry, less quotes and separators.
struct Prefix {
  std::string_view id;
  std::string_view srid;  // "4326"; empty where there is none
};

Prefix prefix_of(std::string_view text) {
  constexpr std::string_view mark = "srid=";
  const std::size_t at = lower_case(text).rfind(mark);
  if (at == std::string_view::npos) return {without_borders(text), {}};
  return {without_borders(text.substr(0, at)), without_borders(text.substr(at + mark.size()))};
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    skip_blanks();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!equal_ignoring_case(text_.substr(0, word.size()), word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool number(double& value) {
    skip_blanks();
    return take_number(text_, value);
  }
  std::string_view rest() const { return text_; }

 private:
  void skip_blanks() {
    while (!text_.empty() && is_blank(text_.front())) text_.remove_prefix(1);
  }
  std::string_view text_;
};

class WktReader : public LineReader {
 public:
  WktReader(ByteSource& source, const ReadOptions& options)
      : LineReader(source, options, has_header(source) ? 1 : 0) {
    if (has_header(source)) read_header(text_with_header(source, options));
  }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    builder.begin(number);
    const Found found = find_geometry(line);
    if (found.name.empty()) {
      return builder.reject(fmt::format("'{}' holds no geometry", printable(line)),
                            "expected LINESTRING (x y, x y, …), with an id before it or not");
    }
    if (!found.name.ends_with("LINESTRING")) return builder.drop(Drop::not_a_line);
    auto [id, srid] = prefix_of(line.substr(0, found.at));
    if (!options().planar && !srid.empty() && srid != "4326") {
      return builder.reject(
          fmt::format("SRID={} is not 4326: no degrees of WGS84", printable(srid)),
          "convert it to EPSG:4326; or add `planar` to take x and y as they are");
    }
    Scanner scanner(line.substr(found.at + found.name.size()));
    const bool has_z = scanner.take_word("Z"), has_m = scanner.take_word("M");
    if (scanner.take_word("EMPTY")) return builder.drop(Drop::empty);
    Fields values;
    if (names_.size() > 1 && !take_apart(line, found.at, values)) {
      return builder.reject(
          fmt::format("the line does not have the {} columns of the first", names_.size()));
    }
    std::string joined;
    if (!values.empty() && !id_.empty()) id = joined = join_id(line, values);
    if (found.name == "LINESTRING") {
      if (!parse_points(scanner, has_z, has_m, builder)) return;
      add_attributes(line, values, builder);
      return builder.end(id);
    }
    if (!scanner.take('(')) return reject(scanner, builder);
    std::size_t part = 0;
    do {
      builder.begin(number);
      if (!parse_points(scanner, has_z, has_m, builder)) return;
      add_attributes(line, values, builder);
      builder.end(part_id(id, part++));
    } while (scanner.take(','));
    builder.begin(number);
    if (!scanner.take(')')) reject(scanner, builder);
  }

  using Fields = std::vector<std::string_view>;

  static bool has_header(ByteSource& source) {
    std::string_view head = first_text(source);
    return find_geometry(take_line(head)).name.empty();
  }

  void read_header(std::string_view head) {
    const std::string_view header = take_line(head);
    Fields fields;
    separator_ = find_separator(header);
    if (separator_ == ' ' || !split_fields(header, separator_, fields)) return;
    for (const std::string_view field : fields) {
      names_.push_back(attribute_name(value_of(header, field), names_.size()));
    }
    names_ = distinct_names(std::move(names_));
    id_ = guess_id(fields);
  }

  // The values of all columns, empty that of the geometry; false where they are not as many as
  // there should be. The geometry need not be in quotes: its end is found by its brackets.
  bool take_apart(std::string_view line, std::size_t geometry, Fields& values) const {
    std::string_view before = line.substr(0, geometry);
    if (const std::size_t srid = lower_case(before).rfind("srid="); srid != std::string::npos) {
      before = before.substr(0, srid);
    }
    if (before.ends_with('"')) before.remove_suffix(1);
    if (!split_fields(before, separator_, values)) return false;
    if (!trimmed(values.back()).empty()) return false;
    std::string_view behind = line.substr(geometry + size_of_geometry(line.substr(geometry)));
    if (behind.starts_with('"')) behind.remove_prefix(1);
    behind = trimmed(behind);
    if (!behind.empty()) {
      Fields rest;
      if (!split_fields(behind, separator_, rest) || !rest.front().empty()) return false;
      values.insert(values.end(), rest.begin() + 1, rest.end());
    }
    return values.size() == names_.size();
  }

  static std::size_t size_of_geometry(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return i + 1;
    }
    return text.size();
  }

  std::string join_id(std::string_view line, const Fields& values) const {
    std::string id;
    for (const std::size_t place : id_) {
      if (!id.empty()) id += '_';
      id += unquoted(value_of(line, values[place]));
    }
    return id;
  }

  void add_attributes(std::string_view line, const Fields& values, TrackBuilder& builder) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_id = std::find(id_.begin(), id_.end(), i) != id_.end();
      if (!is_id) add_untyped(names_[i], value_of(line, values[i]), builder);
    }
  }

  static void reject(const Scanner& scanner, TrackBuilder& builder) {
    builder.reject(fmt::format("the geometry is malformed at '{}'", printable(scanner.rest(), 24)));
  }

  // (x y [z] [m], …); false where a problem was noted.
  static bool parse_points(Scanner& scanner, bool has_z, bool has_m, TrackBuilder& builder) {
    bool good = scanner.take('(');
    do {
      double lon = 0, lat = 0, skipped = 0, m = 0;
      good = good && scanner.number(lon) && scanner.number(lat);
      if (good && !builder.add(lon, lat)) return false;
      if (has_z) good = good && scanner.number(skipped);
      if (has_m) {
        good = good && scanner.number(m) && std::abs(m) < 1e11;
        if (good) builder.add_time(static_cast<std::int64_t>(std::floor(m)));
      } else if (!has_z) {
        scanner.number(skipped);  // a height without the word Z, as many programs write it
      }
    } while (good && scanner.take(','));
    good = good && scanner.take(')');
    if (!good) reject(scanner, builder);
    return good;
  }

  // What the header says, where there is one.
  std::vector<std::string> names_;
  std::vector<std::size_t> id_;
  char separator_ = ',';
};

}  // namespace

std::unique_ptr<Reader> make_wkt_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<WktReader>(source, options);
}

}  // namespace tsmini
