#include "learn/cuda/device.cuh"
#include "learn/cuda/join_parts.h"

namespace tsmini::gpu {
namespace {

// A warp takes a row; a lane holds four neighbouring channels of every 128.
constexpr int at_once = 4 * warp_size;
constexpr int most_slabs = 4;                          // of 128 channels: 512 in a row
constexpr int forward_warps = 8, backward_warps = 16;  // rows a block works on at a time

__global__ void forward_kernel(int rows, int channels, const float* x, const float* gain,
                               float epsilon, float* y, float* inverse, float* copy) {
  await_previous();
  const int row = block_place() * forward_warps + warp_place();
  if (row >= rows) return;
  const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
  Four values[most_slabs];
  float squares = 0;
#pragma unroll
  for (int s = 0; s < most_slabs; ++s) {
    const int c = s * at_once + 4 * lane_place();
    if (c >= channels) break;
    values[s] = load_four(x + begin + c);
#pragma unroll
    for (int u = 0; u < 4; ++u) squares += values[s].at[u] * values[s].at[u];
    if (copy != nullptr) store_four(copy + begin + c, values[s]);
  }
  const float r = rsqrtf(warp_sum(squares) / static_cast<float>(channels) + epsilon);
  if (lane_place() == 0) inverse[row] = r;
#pragma unroll
  for (int s = 0; s < most_slabs; ++s) {
    const int c = s * at_once + 4 * lane_place();
    if (c >= channels) break;
    const Four gains = load_four(gain + c);
#pragma unroll
    for (int u = 0; u < 4; ++u) values[s].at[u] *= r * gains.at[u];
    store_four(y + begin + c, values[s]);
  }
}

// With g the gradient by the normed row before its gain: dx = r · g - x · r³ · mean(g · x).
__global__ void backward_kernel(int rows, int channels, const float* x, const float* gain,
                                const float* inverse, const float* grad, float* partial, float* dx,
                                bool add) {
  await_previous();
  float* shared = shared_memory<float>();  // warps × channels
  Four gains[most_slabs], sums[most_slabs] = {};
#pragma unroll
  for (int s = 0; s < most_slabs; ++s) {
    const int c = s * at_once + 4 * lane_place();
    if (c < channels) gains[s] = load_four(gain + c);
  }
  for (int row = block_place() * backward_warps + warp_place(); row < rows;
       row += row_chunks * backward_warps) {
    const std::int64_t begin = static_cast<std::int64_t>(row) * channels;
    const float r = inverse[row];
    Four values[most_slabs], grads[most_slabs];
    float dot = 0;
#pragma unroll
    for (int s = 0; s < most_slabs; ++s) {
      const int c = s * at_once + 4 * lane_place();
      if (c >= channels) break;
      values[s] = load_four(x + begin + c);
      grads[s] = load_four(grad + begin + c);
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        sums[s].at[u] += grads[s].at[u] * values[s].at[u] * r;
        grads[s].at[u] *= gains[s].at[u];
        dot += grads[s].at[u] * values[s].at[u];
      }
    }
    dot = warp_sum(dot) * r * r * r / static_cast<float>(channels);
#pragma unroll
    for (int s = 0; s < most_slabs; ++s) {
      const int c = s * at_once + 4 * lane_place();
      if (c >= channels) break;
      Four out = add ? load_four(dx + begin + c) : Four{};
#pragma unroll
      for (int u = 0; u < 4; ++u) out.at[u] += grads[s].at[u] * r - values[s].at[u] * dot;
      store_four(dx + begin + c, out);
    }
  }
#pragma unroll
  for (int s = 0; s < most_slabs; ++s) {
    const int c = s * at_once + 4 * lane_place();
    if (c < channels) store_four(shared + warp_place() * channels + c, sums[s]);
  }
  __syncthreads();
  for (int c = thread_place(); c < channels; c += static_cast<int>(blockDim.x)) {
    float sum = 0;
    for (int w = 0; w < backward_warps; ++w) sum += shared[w * channels + c];
    partial[block_place() * channels + c] = sum;
  }
}

}  // namespace

void rms_norm(Stream stream, int rows, int channels, const float* x, const float* gain,
              float epsilon, float* y, float* inverse, float* copy) {
  launch(forward_kernel,
         {(rows + forward_warps - 1) / forward_warps, forward_warps * warp_size, 0, stream}, rows,
         channels, x, gain, epsilon, y, inverse, copy);
}

void rms_norm_backward(Stream stream, int rows, int channels, const float* x, const float* gain,
                       const float* inverse, const float* grad, float* partial, float* dx, bool add,
                       float* dgain) {
  launch(
      backward_kernel,
      {row_chunks, backward_warps * warp_size, bytes_of<float>(backward_warps * channels), stream},
      rows, channels, x, gain, inverse, grad, partial, dx, add);
  join_parts(stream, row_chunks, channels, partial, dgain);
}

}  // namespace tsmini::gpu
