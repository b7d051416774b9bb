#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int warps = 8;  // rows a block works on

__device__ inline float length_of(const float* row, int channels, float least) {
  float squares = 0;
  for (int c = lane_place(); c < channels; c += warp_size) squares += row[c] * row[c];
  const float length = sqrtf(warp_sum(squares));
  return length < least ? least : length;
}

__global__ void forward_kernel(int rows, int channels, float least, const float* x, float* y) {
  await_previous();
  const int row = block_place() * warps + warp_place();
  if (row >= rows) return;
  const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
  const float length = length_of(x + begin, channels, least);
  for (int c = lane_place(); c < channels; c += warp_size) y[begin + c] = x[begin + c] / length;
}

// dx = (g - y · (y · g)) / length: what would only lengthen a row is lost.
__global__ void backward_kernel(int rows, int channels, float least, const float* x, const float* y,
                                const float* grad, float* dx) {
  await_previous();
  const int row = block_place() * warps + warp_place();
  if (row >= rows) return;
  const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
  const float length = length_of(x + begin, channels, least);
  float along = 0;
  for (int c = lane_place(); c < channels; c += warp_size) along += y[begin + c] * grad[begin + c];
  along = warp_sum(along);
  for (int c = lane_place(); c < channels; c += warp_size)
    dx[begin + c] = (grad[begin + c] - y[begin + c] * along) / length;
}

}  // namespace

void unit_norm(Stream stream, int rows, int channels, float least, const float* x, float* y) {
  launch(forward_kernel, {(rows + warps - 1) / warps, warps * warp_size, 0, stream}, rows, channels,
         least, x, y);
}

void unit_norm_backward(Stream stream, int rows, int channels, float least, const float* x,
                        const float* y, const float* grad, float* dx) {
  launch(backward_kernel, {(rows + warps - 1) / warps, warps * warp_size, 0, stream}, rows,
         channels, least, x, y, grad, dx);
}

}  // namespace tsmini::gpu
