#include "data/csv_columns.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string_view>;

// In order of preference.
constexpr std::array<std::string_view, 6> lon_names{"lon",  "lng", "longitude",
                                                    "long", "x",   "gps_lon"};
constexpr std::array<std::string_view, 4> lat_names{"lat", "latitude", "y", "gps_lat"};
constexpr std::array<std::string_view, 10> time_names{
    "timestamp", "datetime", "date_time", "time", "t", "ts", "unix_time", "utc", "date", "epoch"};
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

std::vector<std::size_t> guess_id(const Names& names) {
  const auto trip = find_any(names, trip_names);
  if (!trip) {
    const auto owner = find_any(names, owner_names);
    return owner ? std::vector{*owner} : std::vector<std::size_t>{};
  }
  const auto user = find_any(names, user_names);
  return user ? std::vector{*user, *trip} : std::vector{*trip};
}

// One column of a specification: a name of the header or a number from 1.
std::size_t resolve(std::string_view column, const Names& names, const std::string& file_name) {
  // Numbers first: the "names" of a file without a header are the values of its first row.
  const auto number = integer_from(column);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(names.size())) {
    return static_cast<std::size_t>(*number - 1);
  }
  if (const auto found = find(names, column)) return *found;
  throw Error(ErrorCode::bad_input,
              fmt::format("{}:1: there is no column '{}'", file_name, printable(column)),
              fmt::format("the first line has {}: {}", names.size(),
                          printable(fmt::format("{}", fmt::join(names, ", ")), 200)));
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
  columns.time = 1;
  columns.lon = 2;
  columns.lat = 3;
  return columns;
}

bool is_name(std::string_view field) {
  field = trimmed(field);
  return !field.empty() && !number_from(field) && !time_from(field);
}

}  // namespace

std::optional<CsvColumns> guess_columns(std::string_view first_line) {
  if (is_exported_csv(first_line)) return exported_columns();  // whatever attributes are called
  CsvColumns columns;
  columns.separator = guess_separator(first_line);
  Names names;
  if (!split_fields(first_line, columns.separator, names)) return std::nullopt;
  const auto lon = find_any(names, lon_names), lat = find_any(names, lat_names);
  if (!lon || !lat) return std::nullopt;
  columns.lon = *lon;
  columns.lat = *lat;
  columns.time = find_any(names, time_names);
  columns.id = guess_id(names);
  return columns;
}

CsvColumns choose_columns(std::string_view first_line, std::string_view specification,
                          const std::string& file_name) {
  const auto guess = guess_columns(first_line);
  CsvColumns columns = guess.value_or(CsvColumns{});
  if (!guess) columns.separator = guess_separator(first_line);
  Names names;
  split_fields(first_line, columns.separator, names);

  bool has_lon = guess.has_value(), has_lat = guess.has_value();
  for_each_part(specification, ',', [&](std::string_view part) {
    const std::size_t equals = part.find('=');
    const std::string_view role = trimmed(part.substr(0, equals));
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : trimmed(part.substr(equals + 1));
    if (value.empty()) {
      throw Error(ErrorCode::usage,
                  fmt::format("--columns: '{}' is not ROLE=COLUMN", printable(part)),
                  "for example --columns id=taxi,time=ts,lon=x,lat=y");
    }
    if (role == "id") {
      columns.id.clear();
      for_each_part(value, '+', [&](std::string_view column) {
        columns.id.push_back(resolve(column, names, file_name));
      });
    } else if (role == "time" || role == "t") {
      columns.time = resolve(value, names, file_name);
    } else if (role == "lon" || role == "x") {
      columns.lon = resolve(value, names, file_name);
      has_lon = true;
    } else if (role == "lat" || role == "y") {
      columns.lat = resolve(value, names, file_name);
      has_lat = true;
    } else {
      throw Error(ErrorCode::usage, fmt::format("--columns: '{}' is not a role", printable(role)),
                  "the roles are id, time, lon and lat");
    }
  });
  if (!has_lon || !has_lat) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}:1: which column is the {}? The first line is '{}'", file_name,
                            has_lon ? "latitude" : "longitude", printable(first_line, 60)),
                "say it with --columns id=NAME,time=NAME,lon=NAME,lat=NAME (or numbers from 1)");
  }
  columns.count = names.size();
  columns.least = count_without_blank_end(names);
  columns.has_header =
      guess.has_value() || (is_name(names[columns.lon]) && is_name(names[columns.lat]));
  return columns;
}

}  // namespace tsmini
