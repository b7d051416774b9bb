// What the operations on a GPU share.
#pragma once

#include <cstddef>

#include "learn/cuda/gpu_ops.h"
#include "learn/cuda/kernels.h"
#include "model/architecture.h"

namespace tsmini::learn {

inline float* raw(GpuFloat* numbers) {
  return reinterpret_cast<float*>(numbers);
}
inline const float* raw(const GpuFloat* numbers) {
  return reinterpret_cast<const float*>(numbers);
}

// Constants of the network as kernels take them.
inline constexpr auto gpu_epsilon = static_cast<float>(norm_epsilon);
inline constexpr auto gpu_leak = static_cast<float>(leak);

inline int as_int(std::size_t number) {
  return static_cast<int>(number);
}

inline gpu::Rows rows_of(const Packing& packing) {
  return {packing.starts, as_int(packing.count), as_int(packing.capacity), as_int(packing.lost)};
}

// A product x · weightᵀ, and back.
inline gpu::Blas::Sizes sizes_of(std::size_t rows, const GpuArray& weight) {
  return {rows, weight.columns, weight.rows};
}

// For kernels that overwrite their output: gives them the input's gradient itself where that is
// still empty, otherwise scratch, which finish() adds to the gradient.
class Delivery {
 public:
  Delivery(GpuTape& tape, const GpuArray& input)
      : tape_(tape),
        input_(input),
        target_(tape.target(input)),
        data_(target_.add ? tape.memory(input.size()) : target_.data) {}

  float* data() const { return raw(data_); }
  void finish() const {
    if (target_.add) deliver(tape_, data_, input_.size(), target_.data, true);
  }

 private:
  GpuTape& tape_;
  GpuArray input_;
  GpuTape::Target target_;
  GpuFloat* data_;
};

}  // namespace tsmini::learn
