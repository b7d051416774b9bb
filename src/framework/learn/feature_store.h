// Batches of features, cut from many trajectories. On the CPU features are made when they are asked
// for, a hundredth of what a step costs, and nothing is kept but the data set; on a GPU all of them
// are made at once and stay there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

#include "learn/net.h"

namespace tsmini::learn {

class FeatureStore {
 public:
  // The trajectories `indices` of the data, in that order; on a GPU 28 bytes a point. Linear.
  // Throws Error(bad_input) naming the id of a trajectory that leaves the frame. Progress counts
  // them.
  FeatureStore(const Dataset& data, std::span<const std::size_t> indices, const FeatureFrame& frame,
               const NetSettings& settings, const at::Device& device,
               const Progress& progress = {});

  std::size_t size() const { return starts_.size() - 1; }
  std::int64_t length(std::size_t i) const { return starts_[i + 1] - starts_[i]; }
  std::int64_t longest() const { return longest_; }

  // Numbers of the grid's cells that their points lie in, each once, rising.
  std::vector<std::int64_t> cells(const CellGrid& grid, const Progress& progress = {}) const;

  // The trajectories `ids`, packed, in that order, with waves of x and y where the net wants them.
  Packed batch(std::span<const int> ids) const;
  // The same on a GPU, of ids that are there already.
  at::Tensor gather(const at::Tensor& ids, const Packing& packing) const;

 private:
  // The features of one trajectory, feature_count a row.
  void fill_rows(std::size_t i, float* target) const;

  Dataset data_;
  std::vector<std::size_t> indices_;
  FeatureFrame frame_;
  NetSettings settings_;
  at::Device device_;
  std::vector<std::int64_t> starts_;
  std::int64_t longest_ = 0;
  at::Tensor rows_;           // [points, feature_count]; of a GPU, undefined elsewhere
  at::Tensor device_starts_;  // int64, likewise
};

// Embeddings of all of them, [size, dimension] on the CPU, in order. Linear; trajectories of like
// length go together. Progress counts them.
at::Tensor embed_all(const Net& net, const FeatureStore& store, const Progress& progress = {});

}  // namespace tsmini::learn
