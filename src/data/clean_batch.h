// Makes the trajectories that are written from the tracks of a batch: order, conditions, cuts and
// cleaning, and which attributes each trajectory has.
//
// The order is fixed, too: points in the order of time; pieces wherever the value of the column to
// cut on changes; of these, the points that the conditions want; and then each piece by itself
// through cleaning and the other cuts (clean.h). So a cut is seen also where the points behind it
// are not wanted, and two points in one place are no duplicates where a cut lies between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tsmini/import.h"

#include "data/clean.h"
#include "data/track_batch.h"

namespace tsmini {

// The value of a column in a trajectory.
struct PieceValue {
  std::size_t column = 0, run = 0;
};

// A trajectory as it will be written.
struct Piece {
  std::size_t track = 0;
  std::optional<std::size_t> number;  // where the track was cut
  Stretch points;                     // of the batch
  std::size_t values_begin = 0, values_end = 0;
};

struct CleanedBatch {
  std::vector<Piece> pieces;
  std::vector<PieceValue> values;
  std::vector<std::uint64_t> changes;  // for each column: pieces within which it changes
  std::vector<char> took_other_case;   // for each condition: a trip has its name in another case
  CleanCounts removed;
  std::uint64_t unwanted = 0;  // points
  std::uint64_t cut = 0, reversed = 0, incomplete_times = 0, without_times = 0, swapped_in_box = 0;
};

// Adds what it drops and finds bad to the batch's own. Replaces `cleaned`.
void clean_batch(TrackBatch& batch, const RowColumns& columns, const ImportOptions& options,
                 CleanedBatch& cleaned);

}  // namespace tsmini
