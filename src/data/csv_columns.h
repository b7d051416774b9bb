// Which column of a CSV file is what.
//
// A header is understood if it names a longitude (lon, lng, longitude, x), a latitude (lat,
// latitude, y), perhaps a time (t, time, timestamp, datetime, date) and perhaps an id (traj_id,
// trip_id, tid, id, …; with uid, user or taxi beside it, both). A specification such as
// "id=uid+tid,time=3,lon=lng,lat=lat" overrides any of them, by name or by number from 1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

struct CsvColumns {
  std::vector<std::size_t> id;  // joined by '_'; none: the file is one trajectory
  std::optional<std::size_t> time;
  std::size_t lon = 0, lat = 0;
  bool has_header = true;
  char separator = ',';
  // How many fields the first line has, and how many of these a row may not do without: trailing
  // ones that are blank in the first line may be missing.
  std::size_t count = 0, least = 0;
};

// How what export writes begins, and so what an import knows at once; attributes follow.
inline constexpr std::string_view exported_csv_header = "id,time,lon,lat";
inline bool is_exported_csv(std::string_view text) {
  if (!text.starts_with(exported_csv_header)) return false;
  const std::string_view rest = text.substr(exported_csv_header.size());
  return rest.empty() || rest.starts_with(',') || rest.starts_with('\n');
}

// Nothing where the line is not a header we understand.
std::optional<CsvColumns> guess_columns(std::string_view first_line);

// Guess and specification together. Throws Error(bad_input) that names the file and what is missing
// or unknown, and Error(usage) where the specification itself is malformed.
CsvColumns choose_columns(std::string_view first_line, std::string_view specification,
                          const std::string& file_name);

}  // namespace tsmini
