// Joins the runs of rows that a format with a row per point gives into whole tracks.
//
// Works on the batches of one file in order. A track that reaches the end of a batch is held back
// until the next one shows whether it goes on. In formats with a record per track nothing is held.
// Also turns line numbers of a batch into those of the file, and names tracks that have no id
// FILE-1, FILE-2, …, or FILE where the file is one track.
//
// Rows of one id that are scattered over the file cannot be joined in one pass with little memory:
// the assembler then throws ScatteredRows, and the import starts again with Rows::scattered, which
// collects the whole file (24 bytes a point, and the columns' runs) and gives its tracks at the
// end.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/reader.h"
#include "data/track_batch.h"

namespace tsmini {

enum class Rows { consecutive, scattered };

struct ScatteredRows {
  std::string id;
  std::uint64_t line = 0;
};

class Assembler {
 public:
  // `stem` names tracks without an id.
  Assembler(std::string stem, const Reader& reader, Rows rows)
      : stem_(std::move(stem)), reader_(reader), rows_(rows) {}

  // Leaves in the batch what is complete. At the end of the file, everything.
  void assemble(TrackBatch& batch, bool end_of_file);

 private:
  struct OpenTrack {
    std::string id;
    std::uint64_t line = 0;
    bool has_times = true, some_times = false;
    std::vector<Position> points;
    std::vector<std::int64_t> times;
    std::vector<ColumnRuns> columns;
  };

  void hold_back_last(TrackBatch& batch, bool end_of_file);
  void collect(TrackBatch& batch, bool end_of_file);
  void name_and_number(TrackBatch& batch);
  void extend(OpenTrack& open, const TrackBatch& batch, const Track& track) const;
  static Track append(const OpenTrack& open, TrackBatch& batch);

  std::string stem_;
  const Reader& reader_;
  Rows rows_;
  std::uint64_t lines_ = 0;  // of the file, before the present batch
  std::uint64_t unnamed_ = 0;
  OpenTrack open_;
  bool is_open_ = false;
  std::unordered_set<std::string> closed_;
  std::vector<OpenTrack> collected_;
  std::unordered_map<std::string, std::size_t> collected_index_;
};

}  // namespace tsmini
