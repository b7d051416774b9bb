#include "learn/cuda/device.cuh"
#include "learn/pools.h"

namespace tsmini::gpu {
namespace {

constexpr float divisor = static_cast<float>(sum_divisor);

// A block a trajectory, a thread a channel.
__global__ void forward_kernel(Rows rows, int channels, unsigned pools, const float* x, float* out,
                               int* places) {
  const int b = block_place(), c = thread_place();
  const int begin = first_row(rows, b), end = first_row(rows, b + 1);
  float sum = 0, most = -INFINITY;
  int place = begin;
#pragma unroll 8
  for (int r = begin; r < end; ++r) {
    const float v = x[static_cast<std::int64_t>(r) * channels + c];
    sum += v;
    if (v > most) {
      most = v;
      place = r;
    }
  }
  places[b * channels + c] = place;
  float* target = out + static_cast<std::int64_t>(b) * __popc(pools) * channels + c;
  const auto put = [&](unsigned bit, float value) {
    if ((pools & bit) == 0) return;
    *target = value;
    target += channels;
  };
  put(mean_bit, sum / static_cast<float>(end - begin));
  put(max_bit, most);
  put(sum_bit, sum / divisor);
  put(first_bit, x[static_cast<std::int64_t>(begin) * channels + c]);
  put(last_bit, x[static_cast<std::int64_t>(end - 1) * channels + c]);
}

__global__ void backward_kernel(Rows rows, int channels, unsigned pools, const int* places,
                                const float* grad, float* dx) {
  const int b = block_place(), c = thread_place();
  const int begin = first_row(rows, b);
  if (b == rows.count) {
    for (int r = begin + static_cast<int>(threadIdx.y); r < row_capacity(rows);
         r += static_cast<int>(blockDim.y))
      dx[static_cast<std::int64_t>(r) * channels + c] = 0;
    return;
  }
  const int end = first_row(rows, b + 1), place = places[b * channels + c];
  const float* source = grad + static_cast<std::int64_t>(b) * __popc(pools) * channels + c;
  const auto take = [&](unsigned bit) {
    if ((pools & bit) == 0) return 0.0F;
    const float value = *source;
    source += channels;
    return value;
  };
  const float mean = take(mean_bit), most = take(max_bit), sum = take(sum_bit);
  const float first = take(first_bit), last = take(last_bit);
  const float all = mean / static_cast<float>(end - begin) + sum / divisor;
  for (int r = begin + static_cast<int>(threadIdx.y); r < end; r += static_cast<int>(blockDim.y)) {
    float d = all;
    if (r == place) d += most;
    if (r == begin) d += first;
    if (r == end - 1) d += last;
    dx[static_cast<std::int64_t>(r) * channels + c] = d;
  }
}

}  // namespace

void pool(Stream stream, Rows rows, int channels, unsigned pools, const float* x, float* out,
          int* places) {
  launch(forward_kernel, {rows.count, channels, 0, stream}, rows, channels, pools, x, out, places);
}

void pool_backward(Stream stream, Rows rows, int channels, unsigned pools, const int* places,
                   const float* grad, float* dx) {
  launch(backward_kernel, {rows.count + 1, {channels, 512 / channels}, 0, stream}, rows, channels,
         pools, places, grad, dx);
}

}  // namespace tsmini::gpu
