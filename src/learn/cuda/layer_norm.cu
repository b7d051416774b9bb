#include "learn/cuda/device.cuh"
#include "learn/cuda/join_parts.h"

namespace tsmini::gpu {
namespace {

constexpr int warps = 8;       // rows a block works on at a time
constexpr int most_each = 16;  // channels a lane holds
static_assert(most_each * warp_size == widest_row);

__global__ void forward_kernel(int rows, int channels, const float* x, const float* gain,
                               const float* shift, float epsilon, float* y, float* moments) {
  await_previous();
  const int lane = lane_place(), row = block_place() * warps + warp_place();
  if (row >= rows) return;
  const float* source = x + static_cast<std::int64_t>(row) * channels;
  float* target = y + static_cast<std::int64_t>(row) * channels;
  const float n = static_cast<float>(channels);
  float sum = 0, squares = 0;
  for (int c = lane; c < channels; c += warp_size) sum += source[c];
  const float mean = warp_sum(sum) / n;
  for (int c = lane; c < channels; c += warp_size)
    squares += (source[c] - mean) * (source[c] - mean);
  const float inverse = rsqrtf(warp_sum(squares) / n + epsilon);
  if (lane == 0) {
    moments[2 * row] = mean;
    moments[2 * row + 1] = inverse;
  }
  for (int c = lane; c < channels; c += warp_size)
    target[c] = (source[c] - mean) * inverse * gain[c] + shift[c];
}

// With hat = (x - mean) · inverse and g the gradient by hat:
// dx = inverse · (g - mean(g) - hat · mean(g · hat)).
// partial: the sums by gain of each block, then those by shift.
__global__ void backward_kernel(int rows, int channels, const float* x, const float* gain,
                                const float* moments, const float* grad, float* partial,
                                float* dx) {
  await_previous();
  float* shared = shared_memory<float>();  // warps × channels
  const int lane = lane_place(), warp = warp_place(), each = channels / warp_size;
  const float n = static_cast<float>(channels);
  float gains[most_each] = {}, shifts[most_each] = {};
  for (int row = block_place() * warps + warp; row < rows; row += row_chunks * warps) {
    const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
    const float mean = moments[2 * row], inverse = moments[2 * row + 1];
    float sum = 0, dot = 0;
#pragma unroll
    for (int e = 0; e < most_each; ++e) {
      if (e >= each) break;
      const std::int64_t i = begin + e * warp_size + lane;
      const float hat = (x[i] - mean) * inverse, g = grad[i] * gain[e * warp_size + lane];
      gains[e] += grad[i] * hat;
      shifts[e] += grad[i];
      sum += g;
      dot += g * hat;
    }
    sum = warp_sum(sum) / n;
    dot = warp_sum(dot) / n;
    for (int c = lane; c < channels; c += warp_size) {
      const float hat = (x[begin + c] - mean) * inverse;
      dx[begin + c] = inverse * (grad[begin + c] * gain[c] - sum - hat * dot);
    }
  }
  const auto join = [&](const float(&sums)[most_each], float* target) {
    __syncthreads();
#pragma unroll
    for (int e = 0; e < most_each; ++e) {
      if (e < each) shared[warp * channels + e * warp_size + lane] = sums[e];
    }
    __syncthreads();
    for (int c = thread_place(); c < channels; c += warps * warp_size) {
      float sum = 0;
      for (int w = 0; w < warps; ++w) sum += shared[w * channels + c];
      target[c] = sum;
    }
  };
  join(gains, partial + block_place() * channels);
  join(shifts, partial + (row_chunks + block_place()) * channels);
}

}  // namespace

void layer_norm(Stream stream, int rows, int channels, const float* x, const float* gain,
                const float* shift, float epsilon, float* y, float* moments) {
  launch(forward_kernel, {(rows + warps - 1) / warps, warps * warp_size, 0, stream}, rows, channels,
         x, gain, shift, epsilon, y, moments);
}

void layer_norm_backward(Stream stream, int rows, int channels, const float* x, const float* gain,
                         const float* moments, const float* grad, float* partial, float* dx,
                         float* dgain, float* dshift) {
  launch(backward_kernel,
         {row_chunks, warps * warp_size, bytes_of<float>(warps * channels), stream}, rows, channels,
         x, gain, moments, grad, partial, dx);
  join_parts(stream, row_chunks, channels, partial, dgain);
  join_parts(stream, row_chunks, channels, partial + sums_scratch(channels), dshift);
}

}  // namespace tsmini::gpu
