// What the kernels share.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "gpu/launch.h"
#include "gpu/warp.cuh"
#include "learn/cuda/kernels.h"
#include "learn/place_uniform.h"

namespace tsmini::gpu {

__device__ inline int first_row(const Rows& rows, int b) {
  return rows.starts[b] - rows.lost * b;
}
__device__ inline int real_rows(const Rows& rows) { return first_row(rows, rows.count); }

__device__ inline int row_capacity(const Rows& rows) {
  return rows.capacity - rows.lost * rows.count;
}

// Numbers one by one: a thread begins with that of its place among all threads of the grid and goes
// on by steps of their count.
inline constexpr int each_threads = 256;
inline int each_blocks(std::int64_t size) {
  constexpr std::int64_t enough = 132 * 16;  // to fill the largest GPUs
  return static_cast<int>(std::min((size + each_threads - 1) / each_threads, enough));
}
__device__ inline std::int64_t grid_place() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t grid_size() {
  return static_cast<std::int64_t>(blockDim.x) * gridDim.x;
}

}  // namespace tsmini::gpu
