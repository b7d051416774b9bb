// From a data set back to files that other programs read.
//
//   tsv      id TAB t0 t1 … TAB lon lat,lon lat,…      a trajectory a line; times may be empty
//   csv      id,time,lon,lat                           a point a row; time is empty where there is
//   none geojson  a FeatureCollection of LineStrings, with properties "id" and "times"
//
// Importing an exported file (with keep_duplicates and min_points 1) gives the same data set, but
// for the split, which is not written: numbers have the fewest digits that read back as the same
// number, and whatever an id holds is escaped (docs/formats.md). What a format cannot keep is an
// Error(bad_input): two trajectories of one id in csv; times beyond the year 5138 in csv and
// geojson; a record above 1 GiB in tsv and geojson. A name that ends in .gz is compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

namespace tsmini {

enum class ExportFormat { tsv, csv, geojson };

// By its name ("tsv", "csv", "geojson"). Throws Error(usage).
ExportFormat export_format_from(std::string_view name);
// By the ending of a file's name (.tsv, .csv, .geojson or .json, .gz behind it). Throws
// Error(usage).
ExportFormat export_format_of(const std::filesystem::path& path);

// Streams; progress counts trajectories. "-" is standard output.
void export_dataset(const Dataset& data, const std::filesystem::path& output, ExportFormat format,
                    const Progress& progress = {});

}  // namespace tsmini
