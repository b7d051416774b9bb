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
  // Notes the attributes of all tracks of a batch, kept or not; `columns`: where they are rows.
  void add(const TrackBatch& batch, const RowColumns& columns, const CleanedBatch& cleaned);
  void keep(std::string_view name) { ++of(name).kept; }

  // The attributes that were kept, or would have been but for changing, in order of appearance.
  std::vector<ColumnUse> uses() const;

  // Throw Error(bad_input), which lists what there is, where an attribute that should be kept, or
  // that of a condition on trips, was never met. The second throws, too, where one trip has the
  // attribute of a condition to the letter and another in a different case: which one is meant is
  // not known before all trips are.
  void require_wanted(const ReadOptions& options) const;
  void require_conditions(const ReadOptions& options) const;

 private:
  ColumnUse& of(std::string_view name);
  bool has_several(std::string_view name) const;  // that differ in case
  [[noreturn]] void refuse(const std::string& what) const;

  std::vector<ColumnUse> all_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<char> took_other_case_;  // for each condition
};

}  // namespace tsmini
