// The last step of an import: a trajectory with its id, its attributes and its part of the split,
// from a cleaned batch into the data set.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "data/attribute_tally.h"
#include "data/clean_batch.h"
#include "data/track_batch.h"
#include "data/used_ids.h"

namespace tsmini {

class PieceWriter {
 public:
  // `tally` counts the attributes that are kept.
  PieceWriter(DatasetWriter& writer, const ReadOptions& options, AttributeTally& tally)
      : writer_(writer), options_(options), tally_(tally), ids_(options.unique_ids) {}

  // Writes nothing where something is wrong with the trajectory, and says what.
  std::optional<Problem> write(const TrackBatch& batch, const RowColumns& columns,
                               const CleanedBatch& cleaned, const Piece& piece);

  // The part of each trajectory that was written; none where no input has a split.
  std::vector<Part> take_parts();
  const UsedIds& ids() const { return ids_; }

 private:
  void gather_attributes(const TrackBatch& batch, const RowColumns& columns,
                         const CleanedBatch& cleaned, const Piece& piece);
  void keep_wanted_attributes();

  DatasetWriter& writer_;
  const ReadOptions& options_;
  AttributeTally& tally_;
  UsedIds ids_;
  std::vector<Part> parts_;  // as far as one is marked

  // The id and the attributes of the trajectory that is being written.
  std::string id_;
  std::vector<Attribute> attributes_;
  std::deque<std::string> mended_;
};

}  // namespace tsmini
