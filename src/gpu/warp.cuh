// What threads of a warp and of a block do together.
#pragma once

#include <cuda_runtime.h>

#include "gpu/launch.h"

namespace tsmini::gpu {

inline constexpr int warp_size = 32;

// This thread's place, as a signed number: among those of its block along x, in its warp, and its
// warp's among those of the block.
__device__ inline int thread_place() {
  return static_cast<int>(threadIdx.x);
}
__device__ inline int lane_place() {
  return thread_place() % warp_size;
}
__device__ inline int warp_place() {
  return thread_place() / warp_size;
}
__device__ inline int block_place() {
  return static_cast<int>(blockIdx.x);
}

// Waits until the kernel before this one on its stream has ended, and lets the next one be started
// (gpu/launch.h). First in every kernel: before it nothing may be read or written but what the
// threads of the kernel have among themselves.
__device__ inline void await_previous() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ inline float warp_sum(float x) {
  for (int step = warp_size / 2; step > 0; step /= 2) x += __shfl_xor_sync(~0U, x, step);
  return x;
}

__device__ inline float warp_max(float x) {
  for (int step = warp_size / 2; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0U, x, step));
  return x;
}

// The sum over a block of up to 1,024 threads, for all of them. Every thread must come.
__device__ inline float block_sum(float x) {
  __shared__ float sums[warp_size];
  const int warps = (static_cast<int>(blockDim.x) + warp_size - 1) / warp_size;
  x = warp_sum(x);
  __syncthreads();
  if (lane_place() == 0) sums[warp_place()] = x;
  __syncthreads();
  return warp_sum(lane_place() < warps ? sums[lane_place()] : 0.0F);
}

// The dynamic shared memory of the block, aligned to 16 bytes.
template <typename T>
__device__ inline T* shared_memory() {
#ifdef __CUDACC__
  extern __shared__ __align__(16) unsigned char dynamic_shared_memory[];
  return reinterpret_cast<T*>(dynamic_shared_memory);
#else
  return static_cast<T*>(gpu_emulator::dynamic_shared_memory());
#endif
}

}  // namespace tsmini::gpu
