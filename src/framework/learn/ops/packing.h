// Many trajectories in one matrix, without padding between them.
//
// Rows of all trajectories follow each other; `starts` says where each begins. A convolution
// without padding loses rows at the end of each trajectory, so that at a deeper layer trajectory b
// has rows starts[b] - lost·b up to starts[b + 1] - lost·(b + 1). On a GPU `capacity` may exceed
// the real rows, so that one captured graph serves many batches; rows past the end are zero.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "learn/cuda/kernels.h"

namespace tsmini::learn {

#ifdef TSMINI_LEARN_CUDA
inline constexpr bool with_cuda = true;
#else
inline constexpr bool with_cuda = false;
#endif

// The stream that LibTorch works on now.
gpu::Stream current_stream();

struct Packing {
  at::Tensor starts;  // int32, count + 1, on the device of the rows
  std::int64_t count = 0;
  std::int64_t capacity = 0;
  std::int64_t lost = 0;

  Packing after(std::int64_t more) const { return {starts, count, capacity, lost + more}; }
  std::int64_t rows() const { return capacity - lost * count; }

  // On the CPU: the first row of trajectory b, b up to count.
  std::int64_t first(std::int64_t b) const { return starts.data_ptr<int>()[b] - lost * b; }

  gpu::Rows on_gpu() const {
    return {starts.data_ptr<int>(), static_cast<int>(count), static_cast<int>(capacity),
            static_cast<int>(lost)};
  }

  void save(torch::autograd::AutogradContext* context) const {
    context->saved_data["packing"] = starts;
    context->saved_data["packing_sizes"] = std::vector<std::int64_t>{count, capacity, lost};
  }
  static Packing restore(torch::autograd::AutogradContext* context) {
    const std::vector<std::int64_t> sizes = context->saved_data["packing_sizes"].toIntVector();
    return {context->saved_data["packing"].toTensor(), sizes[0], sizes[1], sizes[2]};
  }
};

}  // namespace tsmini::learn
