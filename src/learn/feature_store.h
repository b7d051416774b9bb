// Features of many trajectories, resident on a device, and batches cut from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/dataset.h"

#include "learn/net.h"

namespace tsmini::learn {

class FeatureStore {
 public:
  // The trajectories `indices` of the data, in that order. 28 bytes a point. Throws
  // Error(bad_input) naming the id of a trajectory that leaves the frame.
  FeatureStore(const Dataset& data, std::span<const std::size_t> indices, const FeatureFrame& frame,
               const NetSettings& settings, const at::Device& device);

  std::size_t size() const { return starts_.size() - 1; }
  std::int64_t length(std::size_t i) const { return starts_[i + 1] - starts_[i]; }
  std::int64_t longest() const { return longest_; }

  // Numbers of the grid's cells that their points lie in, each once, rising.
  std::vector<std::int64_t> cells(const CellGrid& grid) const;

  // The trajectories `ids`, packed, in that order, with waves of x and y where the net wants them.
  Packed batch(std::span<const int> ids) const;
  // The same on a GPU, of ids that are there already.
  at::Tensor gather(const at::Tensor& ids, const Packing& packing) const;

 private:
  NetSettings settings_;
  std::vector<std::int64_t> starts_;
  std::int64_t longest_ = 0;
  at::Tensor rows_;           // [points, feature_count]
  at::Tensor device_starts_;  // int64
};

// Embeddings of all of them, [size, dimension] on the CPU, in order. Linear; trajectories of like
// length go together.
at::Tensor embed_all(const Net& net, const FeatureStore& store);

}  // namespace tsmini::learn
