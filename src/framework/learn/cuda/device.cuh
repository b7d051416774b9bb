// What the kernels share.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

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

__device__ inline float warp_sum(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0U, x, step);
  return x;
}

// The sum over a block of up to 1,024 threads, for all of them. Every thread must come.
__device__ inline float block_sum(float x) {
  __shared__ float sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  x = warp_sum(x);
  __syncthreads();
  if (lane == 0) sums[warp] = x;
  __syncthreads();
  return warp_sum(lane < warps ? sums[lane] : 0.0F);
}

}  // namespace tsmini::gpu
