// Features of many trajectories in the memory of a GPU, 28 bytes a point, and batches of them.
#pragma once

#include <cstdint>
#include <span>

#include "learn/cuda/gpu_storage.h"
#include "learn/feature_store.h"

namespace tsmini::learn {

class GpuFeatures {
 public:
  // Copies those of the store, which outlives this. Throws Error(failure) without memory for them.
  explicit GpuFeatures(const FeatureStore& store);

  // The trajectories whose numbers lie in the GPU's memory, packed as `packing` says, with waves of
  // x and y where the net wants them; rows past them are 0.
  Points<GpuFloat> gather(const int* ids, const Packing& packing, GpuArena& arena) const;
  // The same for numbers in this machine's memory: it waits until they are copied.
  Points<GpuFloat> batch(std::span<const int> ids, GpuArena& arena) const;

 private:
  const FeatureStore& store_;
  gpu::DeviceMemory<float> rows_;
  gpu::DeviceMemory<std::int64_t> starts_;  // of trajectories in rows_
};

}  // namespace tsmini::learn
