// What every file format implements.
//
// Reading is in two halves so that an import can run on all cores and still be in order: fill()
// takes the next piece of the input, one call at a time; parse() turns the piece into tracks, any
// number of pieces at once. A format that must be read in one go (XML) does all of it in fill().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tsmini/error.h"

#include "base/byte_source.h"
#include "data/file_error.h"
#include "data/track_batch.h"

namespace tsmini {

// How much text a batch holds, more or less, and how much is asked of the source at once.
inline constexpr std::size_t batch_bytes = std::size_t{1} << 20;
inline constexpr std::size_t piece_bytes = std::size_t{1} << 16;

// Thrown by fill() where what it gave before was wrong, too: ends the import, even where bad
// records are skipped.
class Misread : public Error {
 public:
  using Error::Error;
};

// Thrown for a file that no format takes for its own; one found in a folder is passed over.
class UnknownFormat : public FileError {
 public:
  UnknownFormat(const std::string& place, std::string why, std::string hint = {},
                bool is_table = false)
      : FileError(place, std::move(why), std::move(hint)), is_table_(is_table) {}

  // The file looks like rows of coordinates: its hint is the best there is for a folder of such.
  bool is_table() const { return is_table_; }

 private:
  bool is_table_;
};

class Reader {
 public:
  virtual ~Reader() = default;

  // The next piece into an empty batch; false at the end of the file.
  virtual bool fill(TrackBatch& batch) = 0;
  virtual void parse(TrackBatch& /*batch*/) const {}

  // Tracks are runs of rows: neighbours with the same id belong together.
  virtual bool has_rows() const { return false; }

  // The columns of these rows.
  virtual const RowColumns& row_columns() const {
    static const RowColumns none;
    return none;
  }
  // The file's rows have no id, since it is one track.
  virtual bool is_one_track() const { return false; }

  // Where the file says it came from, as JSON; empty where it says nothing.
  virtual std::string provenance() const { return {}; }
};

// The format of a file by its first 64 KiB, or where these may be the beginning of a header, by
// that (line_reader.h). Throws UnknownFormat where it is none we know.
Format detect_format(ByteSource& source);
// The same, unless the options name it, or name columns, which only CSV has. Throws UnknownFormat
// also where a file that is said to be text (all but gpx and tsd) is UTF-16 or an archive.
Format choose_format(ByteSource& source, const ReadOptions& options);

// The reader for a format; the source and the options must outlive it.
std::unique_ptr<Reader> make_reader(Format format, ByteSource& source, const ReadOptions& options);

// The readers of the formats, each in a file of its own (data/read_*.cpp).
std::unique_ptr<Reader> make_porto_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_geolife_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_tdrive_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_csv_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_geojson_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_gpx_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_wkt_reader(ByteSource& source, const ReadOptions& options);
std::unique_ptr<Reader> make_tsv_reader(ByteSource& source, const ReadOptions& options);

}  // namespace tsmini
