// Numbers in the memory of a GPU.
//
// All work of a training run, but for labels of batches, is on one stream of the thread that runs
// it, in order: so runs of several threads do not meet, and a copy waits for what was asked for
// before it. (Gradients by weights go beside it, and are back before the next operation: gpu/blas.)
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <cuda_runtime.h>

#include "gpu/blas.h"
#include "gpu/device.h"
#include "gpu/event.h"
#include "gpu/memory.h"
#include "learn/array.h"
#include "learn/storage.h"

namespace tsmini::learn {

// The stream of this thread: one that waits for no other, so that nobody else's copies break into a
// capture. Each GPU that a thread uses has its own.
inline cudaStream_t gpu_stream() {
  thread_local std::map<int, gpu::OwnStream> streams;
  return streams[gpu::current_device()].get();
}

// The memory of a step, and what makes matrix products in it.
class GpuArena : public ArenaOf<gpu::DeviceMemory<std::byte>> {
 public:
  explicit GpuArena(gpu::Blas::Precision precision = gpu::Blas::Precision::tf32)
      : blas_(gpu_stream(), precision) {}

  gpu::Blas& blas() { return blas_; }

 private:
  gpu::Blas blas_;
};

template <>
struct Storage<GpuFloat> {
  using Value = float;
  using Arena = GpuArena;
  template <typename U>
  using Block = gpu::DeviceMemory<U>;
  template <typename U>
  static Block<U> block(std::span<const U> values) {
    return Block<U>(values);
  }
};

template <>
inline void copy_in<GpuFloat>(std::span<const float> values, std::span<GpuFloat> target) {
  assert(values.size() == target.size());
  gpu::check(cudaMemcpyAsync(target.data(), values.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, gpu_stream()),
             "copy to the device");
  gpu::check(cudaStreamSynchronize(gpu_stream()), "copy to the device");
}

template <>
inline std::vector<float> copy_out<GpuFloat>(std::span<const GpuFloat> values) {
  std::vector<float> copy(values.size());
  gpu::check(cudaMemcpyAsync(copy.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, gpu_stream()),
             "copy from the device");
  gpu::check(cudaStreamSynchronize(gpu_stream()), "finish the work of the device");
  return copy;
}

}  // namespace tsmini::learn
