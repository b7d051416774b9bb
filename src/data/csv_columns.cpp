#include "data/csv_columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"
#include "data/other_columns.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string_view>;

// Names of the columns that we know, in order of preference.
constexpr std::array<std::string_view, 6> lon_names{"lon",  "lng", "longitude",
                                                    "long", "x",   "gps_lon"};
constexpr std::array<std::string_view, 4> lat_names{"lat", "latitude", "y", "gps_lat"};
constexpr std::array<std::string_view, 11> time_names{
    "timestamp", "datetime",  "basedatetime", "date_time", "time", "t",
    "ts",        "unix_time", "utc",          "date",      "epoch"};
constexpr std::array<std::string_view, 12> trip_names{
    "traj_id", "trajectory_id", "trajectory", "trip_id", "trip",    "track_id",
    "track",   "tid",           "trajid",     "tripid",  "journey", "route_id"};
constexpr std::array<std::string_view, 12> owner_names{
    "id",      "uid",       "user_id", "user",    "taxi", "vehicle_id",
    "vehicle", "device_id", "device",  "taxi_id", "mmsi", "object_id"};
// Joined with the trip's id: trip numbers often start anew for every user.
constexpr std::array<std::string_view, 4> user_names{"uid", "user_id", "user", "taxi"};

std::optional<std::size_t> find(const Names& names, std::string_view wanted) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (equal_ignoring_case(trimmed(names[i]), wanted)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_any(const Names& names, std::span<const std::string_view> wanted) {
  for (const std::string_view name : wanted) {
    if (const auto found = find(names, name)) return found;
  }
  return std::nullopt;
}

template <class Visit>
void for_each_part(std::string_view text, char separator, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    visit(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::size_t count_without_blank_end(const Names& names) {
  const auto last = std::find_if(names.rbegin(), names.rend(),
                                 [](std::string_view name) { return !trimmed(name).empty(); });
  return static_cast<std::size_t>(names.rend() - last);
}

CsvColumns exported_columns() {
  CsvColumns columns;
  columns.id = {0};
  columns.time = {1};
  columns.lon = 2;
  columns.lat = 3;
  return columns;
}

bool is_name(std::string_view field) {
  field = trimmed(field);
  return !field.empty() && !number_from(field) && !time_from(field) &&
         !decimal_comma_from(field, false);
}

bool is_coordinate(std::string_view field) {
  return number_from(field) || decimal_comma_from(field, false);
}

// Takes a specification apart and writes what it says into the columns.
class Specification {
 public:
  Specification(const CsvHeader& header, CsvColumns& columns)
      : header_(header), columns_(columns) {}

  void read(std::string_view text) {
    for_each_part(text, ',', [&](std::string_view part) {
      const std::size_t equals = part.find('=');
      const std::string_view role = trimmed(part.substr(0, equals));
      const std::string_view value =
          equals == std::string_view::npos ? std::string_view() : trimmed(part.substr(equals + 1));
      if (value.empty() || role.empty()) {
        throw Error(ErrorCode::usage,
                    fmt::format("`columns`: '{}' is not ROLE=COLUMN", printable(part)),
                    "for example `columns=id=taxi,time=ts,lon=x,lat=y`");
      }
      set(role, value);
    });
  }

  bool has_id = false, has_time = false, has_lon = false, has_lat = false;
  std::vector<NamedColumn> named;  // neither id, time, longitude nor latitude

 private:
  static bool is_any(std::string_view role, std::span<const std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return equal_ignoring_case(role, name); });
  }

  void set(std::string_view role, std::string_view value) {
    if (equal_ignoring_case(role, "id")) {
      begin(role, has_id);
      columns_.id = resolve_all(value);
    } else if (is_any(role, time_names)) {
      begin(role, has_time);
      columns_.time = resolve_all(value);
    } else if (is_any(role, lon_names)) {
      begin(role, has_lon);
      columns_.lon = header_.place_of(value);
    } else if (is_any(role, lat_names)) {
      begin(role, has_lat);
      columns_.lat = header_.place_of(value);
    } else {
      bool is_named = std::any_of(named.begin(), named.end(),
                                  [&](const NamedColumn& column) { return column.name == role; });
      begin(role, is_named);
      named.push_back({as_utf8(role), header_.place_of(value)});
    }
  }

  static void begin(std::string_view role, bool& is_given) {
    if (is_given) {
      throw Error(ErrorCode::usage, fmt::format("`columns`: '{}' is there twice", printable(role)),
                  "give each role once; columns of an id or a time are joined with +, as id=A+B");
    }
    is_given = true;
  }

  std::vector<std::size_t> resolve_all(std::string_view value) const {
    std::vector<std::size_t> places;
    for_each_part(value, '+',
                  [&](std::string_view column) { places.push_back(header_.place_of(column)); });
    return places;
  }

  const CsvHeader& header_;
  CsvColumns& columns_;
};

// What was taken for a role because of its name must be the only one of that name.
void require_single_roles(const CsvHeader& header, const Specification& given,
                          const CsvColumns& columns) {
  if (!given.has_lon) header.require_single_for("lon", columns.lon);
  if (!given.has_lat) header.require_single_for("lat", columns.lat);
  if (!given.has_time && !columns.time.empty()) {
    header.require_single_for("time", columns.time.front());
  }
  if (given.has_id) return;
  for (const std::size_t place : columns.id) header.require_single_for("id", place);
}

// Whether a comma is the decimal point of the file: one of the first rows has such a coordinate.
bool has_decimal_commas(std::string_view head, const CsvColumns& columns, bool planar) {
  if (columns.separator == ',' && head.find('"') == std::string_view::npos) return false;
  Names fields;
  const auto is_one = [&](std::size_t place) {
    return place < fields.size() && decimal_comma_from(fields[place], planar);
  };
  while (!head.empty()) {
    const std::string_view line = take_record(head, columns.separator);
    const bool is_row = split_fields(line, columns.separator, fields);
    if (is_row && (is_one(columns.lon) || is_one(columns.lat))) return true;
  }
  return false;
}

std::string_view first_record(std::string_view head, char separator) {
  return take_record(head, separator);
}

}  // namespace

std::vector<std::size_t> guess_id(const Names& names) {
  const auto trip = find_any(names, trip_names);
  if (!trip) {
    const auto owner = find_any(names, owner_names);
    return owner ? std::vector{*owner} : std::vector<std::size_t>{};
  }
  const auto user = find_any(names, user_names);
  return user ? std::vector{*user, *trip} : std::vector{*trip};
}

std::optional<CsvColumns> guess_columns(std::string_view head) {
  if (is_exported_csv(head)) return exported_columns();  // whatever attributes are called
  CsvColumns columns;
  columns.separator = find_separator(head);
  Names names;
  if (!split_fields(first_record(head, columns.separator), columns.separator, names)) {
    return std::nullopt;
  }
  const auto lon = find_any(names, lon_names), lat = find_any(names, lat_names);
  if (!lon || !lat) return std::nullopt;
  columns.lon = *lon;
  columns.lat = *lat;
  if (const auto time = find_any(names, time_names)) columns.time = {*time};
  columns.id = guess_id(names);
  columns.count = columns.least = names.size();
  if (columns.separator == ' ' && !has_fitting_row(head, columns)) return std::nullopt;
  return columns;
}

CsvColumns choose_columns(std::string_view head, const ReadOptions& options,
                          const std::string& file_name) {
  const auto guess = guess_columns(head);
  CsvColumns columns = guess.value_or(CsvColumns{});
  if (!guess) columns.separator = find_separator(head);
  const std::string_view first = first_record(head, columns.separator);
  const CsvHeader header(first, columns.separator, file_name);
  const Names& names = header.names();

  Specification specification(header, columns);
  specification.read(options.columns);
  const bool has_lon = guess || specification.has_lon, has_lat = guess || specification.has_lat;
  if (!has_lon || !has_lat) {
    throw BadHeader(
        file_name,
        fmt::format("which column is the {}? The first line is '{}'",
                    has_lon ? "latitude" : "longitude", printable(first, 60)),
        "say it with `columns=id=NAME,time=NAME,lon=NAME,lat=NAME` (or numbers from 1)");
  }
  columns.count = names.size();
  columns.least = count_without_blank_end(names);
  columns.has_header =
      guess.has_value() || (is_name(names[columns.lon]) && is_name(names[columns.lat]));
  if (guess && !is_exported_csv(head)) require_single_roles(header, specification, columns);
  columns.others.lack_ids = columns.id.empty();
  columns.others.has_decimal_commas = has_decimal_commas(head, columns, options.planar);
  choose_other_columns(header, specification.named, options, columns);
  return columns;
}

bool has_fitting_row(std::string_view head, const CsvColumns& columns) {
  constexpr int enough = 16;
  Names fields;
  for (int i = 0; i < enough && !head.empty(); ++i) {
    const std::string_view line = take_record(head, columns.separator);
    if (!split_fields(line, columns.separator, fields) || fields.size() < columns.least) continue;
    if (is_coordinate(fields[columns.lon]) && is_coordinate(fields[columns.lat])) return true;
  }
  return false;
}

}  // namespace tsmini
