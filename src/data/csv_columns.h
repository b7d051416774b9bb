// Which column of a CSV file is what.
//
// A header is understood if it names a longitude (lon, lng, longitude, x), a latitude (lat,
// latitude, y), perhaps a time (t, time, timestamp, datetime, date) and perhaps an id (traj_id,
// trip_id, tid, id, …; with uid, user or taxi beside it, both). A specification such as
// "id=uid+tid,time=date+clock,lon=lng,lat=lat,flag=3" overrides any of them, by name or by number
// from 1; a role that is none of the four names an attribute. The other columns of a header are
// attributes by their own names (other_columns.h). A name that several columns have means none of
// them (csv_header.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/import.h"

#include "data/track_batch.h"

namespace tsmini {

struct CsvColumns {
  std::vector<std::size_t> id;    // joined by '_'; none: the file is one trajectory
  std::vector<std::size_t> time;  // joined by a blank; none: there are no times
  std::size_t lon = 0, lat = 0;
  RowColumns others;
  std::vector<std::size_t> places;  // of the others
  bool has_header = true;
  char separator = ',';
  // How many fields the first line has, and how many of these a row may not do without: trailing
  // ones that are blank in the first line may be missing.
  std::size_t count = 0, least = 0;
};

// The first fields of a CSV file that export wrote, by which an import knows it; attributes follow.
inline constexpr std::string_view exported_csv_header = "id,time,lon,lat";
inline bool is_exported_csv(std::string_view text) {
  if (!text.starts_with(exported_csv_header)) return false;
  const std::string_view rest = text.substr(exported_csv_header.size());
  return rest.empty() || rest.starts_with(',') || rest.starts_with('\n');
}

// The columns that make up the id, among the names of a header; none where none looks like one.
std::vector<std::size_t> guess_id(const std::vector<std::string_view>& names);

// The columns by the beginning of a file; nothing where that is not a header we understand. Where
// blanks separate, which any prose has, a row of numbers must follow it. The others are left out.
std::optional<CsvColumns> guess_columns(std::string_view head);

// Guess and specification together, and what the options want of the other columns. Throws
// BadHeader that names the file and what is missing or unknown, and Error(usage) where the
// specification itself is malformed.
CsvColumns choose_columns(std::string_view head, const ReadOptions& options,
                          const std::string& file_name);

// Whether one of the first rows has numbers where these columns have their coordinates.
bool has_fitting_row(std::string_view head, const CsvColumns& columns);

// What a user may say of a table without a header, by what its values look like: "lat=1,lon=2" and,
// where they are found, ",time=4" or ",id=3". Empty where nothing looks like coordinates.
std::string propose_columns(std::string_view head);

}  // namespace tsmini
