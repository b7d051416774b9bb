// Which attributes an import has met, and in how many trajectories it kept them.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/import.h"

#include "data/clean_batch.h"
#include "data/track_batch.h"

namespace tsmini {

class AttributeTally {
 public:
  // Of all tracks of a batch, kept or not; `columns`: where they are rows.
  void add(const TrackBatch& batch, const RowColumns& columns, const CleanedBatch& cleaned);
  void keep(std::string_view name) { ++of(name).kept; }

  // Those that were kept, or would have been but for changing, in order of appearance.
  std::vector<ColumnUse> uses() const;

  // Throws Error(bad_input) that lists what there is where a column of a condition, or one that
  // should be kept, was never met.
  void require(const ReadOptions& options) const;

 private:
  ColumnUse& of(std::string_view name);
  void require(std::string_view name) const;

  std::vector<ColumnUse> all_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace tsmini
