#include "learn/cuda/device.cuh"
#include "learn/cuda/join_parts.h"

namespace tsmini::gpu {
namespace {

constexpr int columns = 32;  // of a block
constexpr int lanes = 8;     // rows that a block takes at a time

// partial[chunk][channels]. Which rows a thread takes does not depend on how many follow: zeros
// past the real rows change nothing.
__global__ void partial_kernel(int rows, int channels, const float* x, float* partial) {
  await_previous();
  __shared__ float sums[lanes][columns];
  const int column = thread_place(), lane = static_cast<int>(threadIdx.y);
  const int c = static_cast<int>(blockIdx.y) * columns + column;
  float sum = 0;
  if (c < channels) {
#pragma unroll 4
    for (int r = block_place() * lanes + lane; r < rows; r += row_chunks * lanes)
      sum += x[static_cast<std::int64_t>(r) * channels + c];
  }
  sums[lane][column] = sum;
  __syncthreads();
  if (lane != 0 || c >= channels) return;
  for (int i = 1; i < lanes; ++i) sum += sums[i][column];
  partial[block_place() * channels + c] = sum;
}

}  // namespace

int sums_scratch(int channels) {
  return row_chunks * channels;
}

void column_sums(Stream stream, int rows, int channels, const float* x, float* partial,
                 float* sums) {
  const int across = (channels + columns - 1) / columns;
  launch(partial_kernel, {{row_chunks, across}, {columns, lanes}, 0, stream}, rows, channels, x,
         partial);
  join_parts(stream, row_chunks, channels, partial, sums);
}

}  // namespace tsmini::gpu
