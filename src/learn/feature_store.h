// Batches of features, cut from many trajectories. They are made when they are asked for, a
// hundredth of what a step costs: what is kept is the data set, and 16 bytes a trajectory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

#include "learn/step.h"

namespace tsmini::learn {

class FeatureStore {
 public:
  // The trajectories `indices` of the data, in that order. Linear. Throws Error(bad_input) naming
  // the id of a trajectory that leaves the frame. Progress counts them.
  FeatureStore(Dataset data, std::span<const std::size_t> indices, FeatureFrame frame,
               NetSettings settings, const Progress& progress = {});

  std::size_t size() const { return lengths_.size(); }
  std::size_t length(std::size_t i) const { return lengths_[i]; }
  std::size_t longest() const { return longest_; }
  const NetSettings& settings() const { return settings_; }

  // The features of one trajectory, feature_count a row.
  void fill_rows(std::size_t i, std::span<float> target) const;

  // Numbers of the grid's cells that their points lie in, each once, rising.
  std::vector<std::int64_t> cells(const CellGrid& grid, const Progress& progress = {}) const;

  // Where each of the trajectories `ids` begins in a packing of them, and where the last ends.
  // Throws Error(failure) where a packing cannot hold so many points.
  void starts_of(std::span<const int> ids, std::span<int> starts) const;

  // The trajectories `ids`, packed, in that order, with waves of x and y where the net wants them.
  Points<float> batch(std::span<const int> ids, Arena& arena) const;

 private:
  void check_box(std::size_t first, std::size_t last) const;

  Dataset data_;
  std::vector<std::size_t> indices_;
  FeatureFrame frame_;
  NetSettings settings_;
  std::vector<std::size_t> lengths_;
  std::size_t longest_ = 0;
};

}  // namespace tsmini::learn
