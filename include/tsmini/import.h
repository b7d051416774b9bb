// Makes a .tsd data set from the files that people have.
//
// Reads one or many files (folders are searched), finds their format by content, cleans, cuts,
// samples and marks a split on the way (that of a .tsd stays, unless a new one is asked for), and
// writes the data set in one streaming pass. Memory does not grow with the input, except where the
// rows of one trajectory are scattered over a file: then the whole file is collected, 24 bytes a
// point and the values of other columns wherever these change.
//
// What a file says of a trip besides its points becomes attributes of the trip. In a file with a
// row a point these are the columns that keep their value throughout the trip, as it is after
// cutting and cleaning; a column that changes within a trip is no attribute of that trip.
//
//   ImportOptions options;
//   options.clean.bbox = Box{-8.7005, 41.1001, -8.5192, 41.2086};
//   options.split = SplitOptions{.train = 7000, .validation = 1000, .test = 2000};
//   ImportSummary summary = import_files({"porto.csv.gz"}, "porto.tsd", options);
//
// A bad record ends the import (OnError::fail) or is counted and skipped (OnError::skip); what
// cleaning drops is counted by reason. A failed import leaves no file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/progress.h"
#include "tsmini/trajectory.h"
#include "tsmini/where.h"

namespace tsmini {

struct InputList;

enum class Format { automatic, porto, geolife, tdrive, csv, geojson, mfjson, gpx, wkt, tsv, tsd };
inline constexpr std::array<std::string_view, 11> format_names{
    "auto", "porto", "geolife", "tdrive", "csv", "geojson", "mfjson", "gpx", "wkt", "tsv", "tsd"};
std::string_view name_of(Format format);
Format format_from(std::string_view name);  // throws Error(usage) that lists the names

enum class OnError { fail, skip };
inline constexpr std::array<std::string_view, 2> on_error_names{"fail", "skip"};

// A longer line or feature is a bad record: it bounds the memory that a file takes which is not
// what it seems.
inline constexpr std::size_t largest_record = std::size_t{1} << 30;

struct ReadOptions {
  Format format = Format::automatic;
  bool planar = false;       // x and y are not degrees: any finite number is a coordinate
  bool swap_lonlat = false;  // the file has latitude first where its format says longitude
  // CSV: which columns to read, by name or by number from 1, as
  // "id=uid+tid,time=datetime,lon=lng,lat=lat"; what is not named is guessed from the header. Any
  // other role names an attribute: "flag=3".
  std::string columns;
  std::string time_format;  // CSV: as "%d/%m/%Y %H:%M"; empty: found by looking (base/text.h)
  // What must hold: of a row in a file with a row a point, which is removed otherwise; elsewhere of
  // a trip's attributes.
  std::vector<Condition> where;
  // A new trip begins where the value of this column changes from one point to the next in time,
  // whether `where` wants them or not. Empty: nowhere.
  std::string cut_on;
  std::optional<std::vector<std::string>> attributes;  // those to keep; nothing: all
  // Trajectories that have the id of one before them get another: "a", "a#2", "a#3". Otherwise they
  // keep it, and are counted; a collection takes an id once.
  bool unique_ids = false;
  // Which files of a folder are read: those whose name fits ("*.txt", with .gz behind it or not).
  // Without one all, or the .plt files alone where there are any. Files of no format we know are
  // named and passed over.
  std::string pattern;
  std::size_t max_record_bytes = largest_record;
};

struct CleanOptions {
  bool keep_duplicates = false;  // otherwise consecutive points equal in both coordinates are one
  bool sort_by_time = false;     // otherwise times that go backwards are a bad record
  std::size_t min_points = 2;    // shorter trajectories are dropped
  std::size_t max_points = std::numeric_limits<std::size_t>::max();  // longer ones are dropped
  std::optional<double> min_length;          // metres along the way; in a plane its own unit
  std::optional<std::int64_t> min_duration;  // seconds; a trajectory without times is dropped
  std::optional<Box> bbox;                   // a trajectory that leaves the box is dropped
  std::optional<double> max_speed;           // metres a second: points that need more are removed
  std::optional<std::int64_t> thin;  // seconds: points closer in time to the last kept are removed
};

// Where a long stream is cut into trajectories, besides ReadOptions::cut_on; pieces of "a" are
// "a_0", "a_1", …
struct CutOptions {
  std::optional<std::int64_t> gap;  // seconds without a point
  struct Stay {
    double metres = 0;
    std::int64_t seconds = 0;
  };
  std::optional<Stay> stay;  // within so many metres for so many seconds: a stop between trips
  std::optional<std::size_t> length;  // points a piece at most; the last may be short
};

// The first so many trajectories, in file order or in a seeded random order, become train,
// validation and test; the rest carries no mark. Where all three are below 1 they are shares.
struct SplitOptions {
  double train = 0, validation = 0, test = 0;
  bool random = false;
};
// The names of the two orders, by SplitOptions::random.
inline constexpr std::array<std::string_view, 2> split_order_names{"file", "random"};

struct ImportOptions {
  ReadOptions read;
  CleanOptions clean;
  CutOptions cut;
  std::optional<std::uint64_t> sample;  // keep so many trajectories, drawn at random
  std::optional<SplitOptions> split;
  OnError on_error = OnError::fail;
  std::uint64_t seed = 1;  // of the sample and of a random split
};

// Why a trajectory was dropped although nothing was wrong with its record.
enum class Drop {
  empty,
  missing_data,
  not_a_line,
  too_short,
  too_long,
  outside_box,
  not_sampled,
  not_wanted,  // by ReadOptions::where
  below_min_length,
  below_min_duration,
  untimed,  // min_duration is asked for, and it has no times
};
inline constexpr std::size_t drop_count = static_cast<std::size_t>(Drop::untimed) + 1;
std::string_view name_of(Drop drop);  // for people
std::string_view key_of(Drop drop);   // for programs: "too_short"

// What became of a column of the input that is neither point, time nor id.
struct ColumnUse {
  std::string name;
  std::uint64_t kept = 0;     // trajectories it is an attribute of
  std::uint64_t changes = 0;  // those it is not, since its value changes within them
};

// What was found in a folder, is not what is being read, and was passed over: of no format we know,
// UTF-16, empty; or no file at all (a link that leads nowhere, a pipe, …).
struct ForeignFile {
  std::string path;
  std::string why;
};

struct ImportSummary {
  std::vector<std::string> formats;  // found, in order of appearance
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;   // of text, after gunzip
  std::uint64_t tracks = 0;  // records read, good and bad
  std::array<std::uint64_t, drop_count> dropped{};
  std::uint64_t foreign_files = 0;
  std::vector<ForeignFile> foreign;  // the first 1,000 of them
  std::vector<ColumnUse> columns;    // in order of appearance
  std::uint64_t swapped_in_box = 0;  // of those outside the box: inside it with lon, lat swapped
  std::uint64_t bad_records = 0;
  std::vector<std::string> bad_examples;  // the first few, as "file:line: what"
  std::uint64_t cut = 0;                  // tracks that became more than one trajectory
  std::uint64_t reversed = 0;          // tracks whose times ran backwards throughout, turned round
  std::uint64_t unwanted_points = 0;   // removed by ReadOptions::where
  std::uint64_t duplicate_points = 0;  // removed
  std::uint64_t fast_points = 0;
  std::uint64_t thinned_points = 0;
  std::uint64_t incomplete_times = 0;  // tracks with times at some points only, which lose them
  std::uint64_t without_times = 0;     // trajectories that max_speed, thin, gap, stay skipped
  std::uint64_t repeated_ids = 0;      // trajectories whose id another before them has, or had
  std::uint64_t trajectories = 0;      // written
  std::uint64_t points = 0;
  double seconds = 0;
};

// "-" is standard input. Throws Error; progress counts bytes of the files.
ImportSummary import_files(const std::vector<std::filesystem::path>& inputs,
                           const std::filesystem::path& output, const ImportOptions& options,
                           const Progress& progress = {});

// The same for files that list_inputs() found with the pattern of the same options
// (tsmini/input_list.h).
ImportSummary import_listed(const InputList& inputs, const std::filesystem::path& output,
                            const ImportOptions& options, const Progress& progress = {});

// The summary as JSON: files, tracks and points, each step by itself; what became of the columns;
// and by name what was passed over, up to 1,000 files. All keys are there, whatever their numbers.
std::string to_json(const ImportSummary& summary);

}  // namespace tsmini
