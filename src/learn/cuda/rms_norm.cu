#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int warps = 8;       // rows a block works on at a time
constexpr int chunks = 128;    // blocks of the backward pass: the gain's gradient is joined from them
constexpr int most_each = 16;  // channels a lane holds: 512 in a row

__global__ void forward_kernel(int rows, int channels, const float* x, const float* gain,
                               float epsilon, float* y, float* inverse) {
  const int lane = lane_place(), row = block_place() * warps + warp_place();
  if (row >= rows) return;
  const float* source = x + static_cast<std::int64_t>(row) * channels;
  float* target = y + static_cast<std::int64_t>(row) * channels;
  float squares = 0;
  for (int c = lane; c < channels; c += 32) squares += source[c] * source[c];
  const float r = rsqrtf(warp_sum(squares) / static_cast<float>(channels) + epsilon);
  if (lane == 0) inverse[row] = r;
  for (int c = lane; c < channels; c += 32) target[c] = source[c] * r * gain[c];
}

__global__ void backward_kernel(int rows, int channels, const float* x, const float* gain,
                                const float* inverse, const float* grad, float* partial,
                                float* dx) {
  float* shared = shared_memory<float>();  // warps × channels
  const int lane = lane_place(), warp = warp_place(), each = channels / 32;
  float sums[most_each] = {};
  for (int row = block_place() * warps + warp; row < rows; row += chunks * warps) {
    const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
    const float r = inverse[row];
    float dot = 0;
#pragma unroll
    for (int e = 0; e < most_each; ++e) {
      if (e >= each) break;
      const std::int64_t i = begin + e * 32 + lane;
      dot += grad[i] * gain[e * 32 + lane] * x[i];
      sums[e] += grad[i] * x[i] * r;
    }
    dot = warp_sum(dot) * r * r * r / static_cast<float>(channels);
    for (int c = lane; c < channels; c += 32)
      dx[begin + c] = grad[begin + c] * gain[c] * r - x[begin + c] * dot;
  }
#pragma unroll
  for (int e = 0; e < most_each; ++e) {
    if (e < each) shared[warp * channels + e * 32 + lane] = sums[e];
  }
  __syncthreads();
  for (int c = thread_place(); c < channels; c += static_cast<int>(blockDim.x)) {
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += shared[w * channels + c];
    partial[block_place() * channels + c] = sum;
  }
}

__global__ void join_kernel(int channels, const float* partial, float* dgain) {
  const int c = static_cast<int>(grid_place());
  if (c >= channels) return;
  float sum = 0;
  for (int i = 0; i < chunks; ++i) sum += partial[i * channels + c];
  dgain[c] = sum;
}

}  // namespace

void rms_norm(Stream stream, int rows, int channels, const float* x, const float* gain,
              float epsilon, float* y, float* inverse) {
  launch(forward_kernel, {(rows + warps - 1) / warps, warps * 32, 0, stream}, rows, channels, x, gain,
         epsilon, y, inverse);
}

void rms_norm_backward(Stream stream, int rows, int channels, const float* x, const float* gain,
                       const float* inverse, const float* grad, float* partial, float* dx,
                       float* dgain) {
  launch(backward_kernel, {chunks, warps * 32, bytes_of<float>(warps * channels), stream}, rows,
         channels, x, gain, inverse, grad, partial, dx);
  launch(join_kernel, {(channels + 127) / 128, 128, 0, stream}, channels, partial, dgain);
}

}  // namespace tsmini::gpu
