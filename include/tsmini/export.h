// Writes a data set to a file that other programs read.
//
//   tsv      id TAB t0 t1 … TAB lon lat,lon lat,…   a trajectory a line; times may be empty; where
//            there are attributes, TAB and a JSON object of them
//   csv      id,time,lon,lat,…                      a point a row; time is empty where there is
//            none; a column for each attribute
//   geojson  a FeatureCollection of LineStrings, with properties "id", "times" and the attributes
//   mfjson   OGC Moving Features: a FeatureCollection of MovingPoints; every trip must have times
//   gpx      GPX 1.1: a track a trajectory, attributes in its extensions
//   kepler   GeoJSON as kepler.gl animates it: [lon, lat, 0, unix seconds]; every trip must have
//            times
//
// Importing an exported file (with keep_duplicates and min_points 1) gives the same data set, with
// its split and attributes: numbers have the fewest digits that read back as the same number, and
// whatever an id holds is escaped. docs/formats.md says where csv, which has no types, may read
// others into attributes. What a format cannot keep is an Error(bad_input): two trajectories of one
// id in csv; times beyond the year 5138 in csv, geojson and kepler, outside the years 1 to 9999 in
// mfjson and gpx; planar coordinates in mfjson, gpx and kepler; characters that XML does not have,
// and blanks at an end of an id, in gpx; a record above 1 GiB in all but csv and gpx. A name that
// ends in .gz is compressed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

namespace tsmini {

enum class ExportFormat { tsv, csv, geojson, mfjson, gpx, kepler };
inline constexpr std::array<std::string_view, 6> export_format_names{"tsv",    "csv", "geojson",
                                                                     "mfjson", "gpx", "kepler"};

// The format of a name ("tsv", "csv", …). Throws Error(usage).
ExportFormat export_format_from(std::string_view name);
// The format by the ending of a file's name (.tsv, .csv, .geojson or .json, .mfjson, .gpx,
// .kepler.json; .gz behind it). Throws Error(usage).
ExportFormat export_format_of(const std::filesystem::path& path);

// Streams; progress counts trajectories. "-" is standard output.
void export_dataset(const Dataset& data, const std::filesystem::path& output, ExportFormat format,
                    const Progress& progress = {});

}  // namespace tsmini
