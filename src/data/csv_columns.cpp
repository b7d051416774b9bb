#include "data/csv_columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "data/attribute_names.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string_view>;

// In order of preference.
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

// One column of a specification: a name of the header or a number from 1.
std::size_t resolve(std::string_view column, const Names& names, const std::string& file_name) {
  // Numbers first: the "names" of a file without a header are the values of its first row.
  const auto number = integer_from(column);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(names.size())) {
    return static_cast<std::size_t>(*number - 1);
  }
  if (const auto found = find_name(names, column, trimmed)) return *found;
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
  Specification(const Names& names, const std::string& file_name, CsvColumns& columns)
      : names_(names), file_name_(file_name), columns_(columns) {}

  void read(std::string_view text) {
    for_each_part(text, ',', [&](std::string_view part) {
      const std::size_t equals = part.find('=');
      const std::string_view role = trimmed(part.substr(0, equals));
      const std::string_view value =
          equals == std::string_view::npos ? std::string_view() : trimmed(part.substr(equals + 1));
      if (value.empty() || role.empty()) {
        throw Error(ErrorCode::usage,
                    fmt::format("--columns: '{}' is not ROLE=COLUMN", printable(part)),
                    "for example --columns id=taxi,time=ts,lon=x,lat=y");
      }
      set(role, value);
    });
  }

  bool has_lon = false, has_lat = false;
  std::vector<NamedColumn> named;  // neither id, time, longitude nor latitude

 private:
  static bool is_any(std::string_view role, std::span<const std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return equal_ignoring_case(role, name); });
  }

  void set(std::string_view role, std::string_view value) {
    if (equal_ignoring_case(role, "id")) {
      columns_.id = resolve_all(value);
    } else if (is_any(role, time_names)) {
      columns_.time = resolve_all(value);
    } else if (is_any(role, lon_names)) {
      columns_.lon = resolve(value, names_, file_name_);
      has_lon = true;
    } else if (is_any(role, lat_names)) {
      columns_.lat = resolve(value, names_, file_name_);
      has_lat = true;
    } else {
      named.push_back({as_utf8(role), resolve(value, names_, file_name_)});
    }
  }

  std::vector<std::size_t> resolve_all(std::string_view value) const {
    std::vector<std::size_t> places;
    for_each_part(value, '+', [&](std::string_view column) {
      places.push_back(resolve(column, names_, file_name_));
    });
    return places;
  }

  const Names& names_;
  const std::string& file_name_;
  CsvColumns& columns_;
};

// The columns besides: those that were named, and those of a header.
class OtherColumns {
 public:
  OtherColumns(const Names& names, std::vector<NamedColumn> named, const ReadOptions& options,
               const std::string& file_name, CsvColumns& columns)
      : names_(names),
        known_(std::move(named)),
        options_(options),
        file_name_(file_name),
        columns_(columns) {}

  void choose() {
    for (const NamedColumn& column : known_) add_attribute(column.name, column.place);
    if (columns_.has_header) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        known_.push_back({header_name(i), i});
        if (!is_taken(i)) add_attribute(known_.back().name, i);
      }
    }
    RowColumns& others = columns_.others;
    for (const NamedColumn& column : known_) {
      if (column.place < columns_.least) others.names.push_back(column.name);
    }
    for (const Condition& condition : options_.where) {
      others.where.push_back(needed(condition.column));
    }
    if (!options_.cut_on.empty()) others.cut_on = needed(options_.cut_on);
  }

 private:
  std::string header_name(std::size_t place) const {
    const std::string_view name = names_[place];
    return trimmed(name).empty() ? fmt::format("column{}", place + 1) : as_utf8(unquoted(name));
  }

  bool is_taken(std::size_t place) const {
    const auto holds = [&](const std::vector<std::size_t>& places) {
      return std::find(places.begin(), places.end(), place) != places.end();
    };
    return place == columns_.lon || place == columns_.lat || holds(columns_.id) ||
           holds(columns_.time) || holds(columns_.places);
  }

  // The first of several with one name counts. A blank column without a name holds nothing.
  void add_attribute(const std::string& name, std::size_t place) {
    const auto& all = columns_.others.columns;
    const bool is_there = std::any_of(all.begin(), all.end(),
                                      [&](const RowColumns::Column& c) { return c.name == name; });
    if (place >= columns_.least || is_there || !is_wanted(name, options_)) return;
    columns_.others.columns.push_back({name, true, false});
    columns_.places.push_back(place);
  }

  // A column that every value is needed of: one of the others, or any of the file.
  std::size_t needed(std::string_view name) {
    auto& all = columns_.others.columns;
    const std::size_t place = place_of(name);
    const auto read = std::find(columns_.places.begin(), columns_.places.end(), place);
    if (read != columns_.places.end()) {
      const auto at = static_cast<std::size_t>(read - columns_.places.begin());
      all[at].is_needed = true;
      return at;
    }
    all.push_back({std::string(name), false, true});
    columns_.places.push_back(place);
    return all.size() - 1;
  }

  std::size_t place_of(std::string_view name) const {
    const auto found = find_name(known_, name, &NamedColumn::name);
    return found ? known_[*found].place : resolve(name, names_, file_name_);
  }

  const Names& names_;
  std::vector<NamedColumn> known_;  // those that were named, then those of a header
  const ReadOptions& options_;
  const std::string& file_name_;
  CsvColumns& columns_;
};

// Without the blanks around those that are not in quotes. The last may be a quote without its end,
// which is an empty view of nothing.
Names header_names(std::string_view line, char separator) {
  Names names;
  split_fields(line, separator, names);
  for (std::string_view& name : names) {
    if (!name.empty() && !was_quoted(line, name)) name = trimmed(name);
  }
  return names;
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
  const Names names = header_names(first, columns.separator);

  Specification specification(names, file_name, columns);
  specification.read(options.columns);
  const bool has_lon = guess || specification.has_lon, has_lat = guess || specification.has_lat;
  if (!has_lon || !has_lat) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}:1: which column is the {}? The first line is '{}'", file_name,
                            has_lon ? "latitude" : "longitude", printable(first, 60)),
                "say it with --columns id=NAME,time=NAME,lon=NAME,lat=NAME (or numbers from 1)");
  }
  columns.count = names.size();
  columns.least = count_without_blank_end(names);
  columns.has_header =
      guess.has_value() || (is_name(names[columns.lon]) && is_name(names[columns.lat]));
  OtherColumns(names, specification.named, options, file_name, columns).choose();
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
