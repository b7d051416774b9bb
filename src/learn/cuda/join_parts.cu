#include "learn/cuda/join_parts.h"

#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int columns = warp_size;  // of a block
constexpr int lanes = warp_size;    // parts that a block takes at a time

// Threads: columns by lanes. At the end a warp has all lanes of a column.
__global__ void join_kernel(int parts, int channels, const float* partial, float* sums) {
  await_previous();
  __shared__ float shared[lanes][columns + 1];
  const int first = block_place() * columns;
  const int column = thread_place(), lane = static_cast<int>(threadIdx.y);
  float sum = 0;
  if (first + column < channels) {
#pragma unroll 4
    for (int i = lane; i < parts; i += lanes) sum += partial[i * channels + first + column];
  }
  shared[lane][column] = sum;
  __syncthreads();
  sum = warp_sum(shared[column][lane]);
  if (column == 0 && first + lane < channels) sums[first + lane] = sum;
}

}  // namespace

void join_parts(Stream stream, int parts, int channels, const float* partial, float* sums) {
  launch(join_kernel, {(channels + columns - 1) / columns, {columns, lanes}, 0, stream}, parts,
         channels, partial, sums);
}

}  // namespace tsmini::gpu
