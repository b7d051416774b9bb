#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int chunks = 64;   // blocks that sum rows apart, in an order that never changes
constexpr int columns = 32;  // of a block
constexpr int lanes = 8;     // rows that a block takes at a time

// partial[chunk][channels]. Which rows a thread takes does not depend on how many follow: zeros past
// the real rows change nothing.
__global__ void partial_kernel(int rows, int channels, const float* x, float* partial) {
  __shared__ float sums[lanes][columns];
  const int column = thread_place(), lane = static_cast<int>(threadIdx.y);
  const int c = static_cast<int>(blockIdx.y) * columns + column;
  float sum = 0;
  if (c < channels) {
    for (int r = block_place() * lanes + lane; r < rows; r += chunks * lanes)
      sum += x[static_cast<std::int64_t>(r) * channels + c];
  }
  sums[lane][column] = sum;
  __syncthreads();
  if (lane != 0 || c >= channels) return;
  for (int i = 1; i < lanes; ++i) sum += sums[i][column];
  partial[block_place() * channels + c] = sum;
}

__global__ void join_kernel(int channels, const float* partial, float* sums) {
  const int c = static_cast<int>(grid_place());
  if (c >= channels) return;
  float sum = 0;
  for (int i = 0; i < chunks; ++i) sum += partial[i * channels + c];
  sums[c] = sum;
}

}  // namespace

int column_scratch(int channels) { return chunks * channels; }

void column_sums(Stream stream, int rows, int channels, const float* x, float* partial,
                 float* sums) {
  const int across = (channels + columns - 1) / columns;
  launch(partial_kernel, {{chunks, across}, {columns, lanes}, 0, stream}, rows, channels, x,
         partial);
  launch(join_kernel, {across, columns, 0, stream}, channels, partial, sums);
}

}  // namespace tsmini::gpu
