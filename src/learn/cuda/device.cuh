// What the kernels share.
#pragma once

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

#include "gpu/launch.h"
#include "gpu/warp.cuh"
#include "learn/cuda/kernels.h"
#include "learn/place_uniform.h"

namespace tsmini::gpu {

__device__ inline int first_row(const Rows& rows, int b) {
  return rows.starts[b] - rows.lost * b;
}
__device__ inline int real_rows(const Rows& rows) {
  return first_row(rows, rows.count);
}

__device__ inline int row_capacity(const Rows& rows) {
  return rows.capacity - rows.lost * rows.count;
}

// Sums over rows are made of those of so many blocks, joined in an order that never changes.
inline constexpr int row_chunks = 128;

// Four neighbouring numbers, which are read and written at once: at multiples of 16 bytes.
struct Four {
  float at[4];
};
__device__ inline Four load_four(const float* from) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  return {{four.x, four.y, four.z, four.w}};
}
__device__ inline void store_four(float* to, const Four& four) {
  *reinterpret_cast<float4*>(to) = make_float4(four.at[0], four.at[1], four.at[2], four.at[3]);
}

// A thread's way over rows of numbers: it keeps to four neighbouring columns and goes from row to
// row, with `blocks` blocks beside each other. Threads that are left over have no row.
struct Walk {
  int column;
  std::int64_t row, step;
};
__device__ inline Walk walk_over(int columns, int block, int blocks) {
  const int fours = columns / 4, at_once = static_cast<int>(blockDim.x) / fours;
  const int lane = thread_place() / fours;
  const std::int64_t step = static_cast<std::int64_t>(blocks) * at_once;
  constexpr std::int64_t none = std::int64_t{1} << 62;
  return {thread_place() % fours * 4,
          lane < at_once ? static_cast<std::int64_t>(block) * at_once + lane : none, step};
}

// Numbers one by one: a thread begins with that of its place among all threads of the grid and goes
// on by steps of their count.
inline constexpr int many_blocks = 132 * 16;  // that fill the largest GPUs
inline constexpr int each_threads = 256;
inline int each_blocks(std::int64_t size) {
  return static_cast<int>(
      std::min<std::int64_t>((size + each_threads - 1) / each_threads, many_blocks));
}
__device__ inline std::int64_t grid_place() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t grid_size() {
  return static_cast<std::int64_t>(blockDim.x) * gridDim.x;
}

}  // namespace tsmini::gpu
