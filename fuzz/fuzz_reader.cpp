// Any bytes through one reader: parse, assemble, clean, check what came out. Compiled once per
// format.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tsmini/error.h"

#include "data/assembler.h"
#include "data/clean_batch.h"
#include "data/reader.h"

namespace {

using namespace tsmini;

void require(bool good) {
  if (!good) std::abort();
}

void check(const TrackBatch& batch, const ReadOptions& options) {
  require(batch.times.size() == batch.points.size());
  for (const Track& track : batch.tracks) {
    require(track.begin < track.end && track.end <= batch.points.size());
    require(track.id_begin + track.id_size <= batch.ids.size());
    for (std::size_t i = track.begin; i < track.end; ++i) {
      require(is_position(batch.points[i], options));
    }
  }
  for (const Problem& problem : batch.problems) require(!problem.what.empty());
}

void clean(TrackBatch& batch, const RowColumns& columns, const ReadOptions& read) {
  ImportOptions options;
  options.read = read;
  CleanedBatch cleaned;
  clean_batch(batch, columns, options, cleaned);
  for (const Piece& piece : cleaned.pieces) {
    require(piece.points.begin < piece.points.end && piece.points.end <= batch.points.size());
    for (std::size_t i = piece.values_begin; i < piece.values_end; ++i) {
      const PieceValue& value = cleaned.values.at(i);
      require(!batch.columns.at(value.column).text_of(value.run).empty());
    }
  }
}

void read_all(const std::string& bytes, const ReadOptions& options, Rows rows) {
  ByteSource source("input", bytes);
  const auto reader = make_reader(options.format, source, options);
  Assembler assembler("input", *reader, rows);
  TrackBatch batch;
  for (bool more = true; more;) {
    batch.clear();
    more = reader->fill(batch);
    reader->parse(batch);
    check(batch, options);
    assembler.assemble(batch, !more);
    check(batch, options);
    clean(batch, reader->row_columns(), options);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ReadOptions options;
  options.format = Format::TSMINI_FUZZ_FORMAT;
  options.planar = (data[0] & 1) != 0;
  options.swap_lonlat = (data[0] & 2) != 0;
  if ((data[0] & 4) != 0) options.columns = "id=1,time=2,lon=3,lat=4";
  if ((data[0] & 16) != 0) {
    options.columns = "lat=1,lon=2,flag=3,time=4";
    options.cut_on = "flag";
    options.where = {condition_from("flag!=1")};
  }
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    read_all(bytes, options, (data[0] & 8) != 0 ? Rows::scattered : Rows::consecutive);
  } catch (const Error&) {
  } catch (const ScatteredRows&) {
  }
  return 0;
}
