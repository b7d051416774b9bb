// Tracks on their way from a file into a data set.
//
// A batch is the unit of work of an import: a piece of input text, then the tracks parsed from it,
// in arrays that are reused from batch to batch. A *track* is one trajectory as it stands in the
// file, or, in formats with a row per point, a run of rows that may continue in the next batch.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "data/column_runs.h"

namespace tsmini {

// The columns of a file with a row per point that are neither id, time, longitude nor latitude, as
// far as they are read.
struct RowColumns {
  struct Column {
    std::string name;
    bool is_attribute = true;  // to be kept where it is the same throughout a trip
    bool is_needed = false;    // by a condition or a cut: every value counts
  };
  std::vector<Column> columns;
  std::vector<std::string> names;     // of all columns of the file, read or not
  std::vector<std::size_t> where;     // for each of ReadOptions::where
  std::optional<std::size_t> cut_on;  // for ReadOptions::cut_on
  bool has_decimal_commas = false;    // in numbers, by the coordinates of the first rows
  bool lack_ids = false;              // none is known as the id: the file is one track

  // 1.5 for a value "1,5", in a file with decimal commas; nothing otherwise.
  std::optional<double> decimal_comma_in(std::string_view value, const ReadOptions& options) const;
};

struct Track {
  std::uint64_t line = 0;  // where it begins, counted from 1 at the start of the batch
  std::size_t id_begin = 0, id_size = 0;
  std::size_t begin = 0, end = 0;  // its points and times
  bool has_times = false;
  bool some_times = false;  // a point has a time; where not all do, they are lost
  Part part = Part::none;
  std::size_t attributes_begin = 0, attributes_end = 0;  // its own, in the batch's
};

// An attribute of a track. Name and text lie in the batch; other values are in `value` itself.
struct TrackAttribute {
  std::size_t name_begin = 0, name_size = 0;
  std::size_t text_begin = 0, text_size = 0;
  AttributeValue value;  // a text is empty here
  bool is_untyped = false;
};

// A record that cannot be used.
struct Problem {
  std::uint64_t line = 0;
  std::string what;
  std::string hint;
};

// A stretch of a batch's text that is one record, for formats whose records are not lines.
struct TextRecord {
  std::size_t begin = 0, size = 0;
  std::uint64_t line = 0;
};

struct TrackBatch {
  std::string text;
  std::vector<TextRecord> records;
  bool first_of_file = false;

  std::vector<Position> points;
  std::vector<std::int64_t> times;  // as many as points; meaningless where a track has none
  std::string ids;
  std::vector<Track> tracks;
  std::vector<TrackAttribute> attributes;
  std::string attribute_text;
  std::vector<ColumnRuns> columns;  // a row per point: RowColumns of the reader, along `points`
  std::vector<Problem> problems;
  std::array<std::uint64_t, drop_count> dropped{};
  std::uint64_t lines = 0;  // in this batch
  std::uint64_t bytes = 0;

  std::string_view id_of(const Track& track) const {
    return std::string_view(ids).substr(track.id_begin, track.id_size);
  }
  // Replaces `found` by those of the track; views of the batch.
  void attributes_of(const Track& track, std::vector<Attribute>& found) const;
  void clear();  // keeps the memory
};

// "ID_3" for the fourth line of a record that holds several; empty where the record has no id.
std::string part_id(std::string_view id, std::size_t part);

// Whether the coordinates are in range for degrees, finite for a plane.
inline bool is_position(const Position& p, const ReadOptions& options) {
  if (options.planar) return std::isfinite(p.lon) && std::isfinite(p.lat);
  return p.lon >= -180 && p.lon <= 180 && p.lat >= -90 && p.lat <= 90;
}
// What is wrong with one that is not, and what to do about it.
Problem describe_bad_position(const Position& position, const ReadOptions& options);

// What the parsers write with. Whole tracks:
//
//   builder.begin(line);
//   if (!builder.add(lon, lat)) return;    // a problem was noted and the track given up
//   builder.add_time(t);                   // for every point or for none
//   builder.end(id);
//
// or a row per point: builder.add_row(line, id, lon, lat, time, values of the RowColumns).
class TrackBuilder {
 public:
  TrackBuilder(TrackBatch& batch, const ReadOptions& options) : batch_(batch), options_(options) {}

  void begin(std::uint64_t line);
  bool add(double lon, double lat);
  void add_time(std::int64_t time) { batch_.times.push_back(time); }
  void lose_times() { lost_times_ = true; }  // some points have one, others not
  // Adds to the track that was begun; a name that comes twice counts once, with its last value.
  // A track with more names than a data set may have is a bad record.
  void add_attribute(const Attribute& attribute);
  std::size_t point_count() const { return batch_.points.size() - begin_; }
  void end(std::string_view id, Part part = Part::none);
  void drop(Drop reason);                                // nothing wrong, but not wanted
  void reject(std::string what, std::string hint = {});  // a bad record

  void add_row(std::uint64_t line, std::string_view id, double lon, double lat,
               const std::optional<std::int64_t>& time,
               std::span<const std::string_view> values = {});
  void reject_row(std::uint64_t line, std::string what, std::string hint = {});

 private:
  TrackAttribute* place_for(std::string_view name);  // null where there are too many
  void rewind();

  TrackBatch& batch_;
  const ReadOptions& options_;
  std::uint64_t line_ = 0;
  std::size_t begin_ = 0;
  std::size_t attributes_begin_ = 0;
  bool lost_times_ = false;
  bool has_too_many_ = false;
};

// Adds what a text file says of a track, unless it is nothing. Quotes that are doubled become one,
// and what is not UTF-8 U+FFFD.
void add_untyped(std::string_view name, std::string_view text, TrackBuilder& builder);

}  // namespace tsmini
