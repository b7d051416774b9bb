#include "learn/cuda/device.cuh"
#include "learn/pools.h"

namespace tsmini::gpu {
namespace {

constexpr float divisor = static_cast<float>(sum_divisor);
constexpr int threads = 512;  // of a block: all channels by as many rows as fit

// A block a trajectory; a thread takes a channel of every blockDim.y-th row.
__global__ void __launch_bounds__(threads) forward_kernel(Rows rows, int channels, unsigned pools,
                                                          const float* x, float* out, int* places) {
  await_previous();
  __shared__ float sums[threads], tops[threads];
  __shared__ int rows_of_tops[threads];
  const int b = block_place(), c = thread_place(), lane = static_cast<int>(threadIdx.y);
  const int lanes = static_cast<int>(blockDim.y);
  const int begin = first_row(rows, b), end = first_row(rows, b + 1);
  float sum = 0, top = -INFINITY;
  int place = begin;
  const auto take = [&](float value, int row) {  // of equals the first
    if (value > top || (value == top && row < place)) {
      top = value;
      place = row;
    }
  };
#pragma unroll 8
  for (int r = begin + lane; r < end; r += lanes) {
    const float v = x[static_cast<std::int64_t>(r) * channels + c];
    sum += v;
    take(v, r);
  }
  const int at = lane * channels + c;
  sums[at] = sum;
  tops[at] = top;
  rows_of_tops[at] = place;
  __syncthreads();
  if (lane != 0) return;
  for (int i = channels + c; i < lanes * channels; i += channels) {
    sum += sums[i];
    take(tops[i], rows_of_tops[i]);
  }
  places[b * channels + c] = place;
  float* target = out + static_cast<std::int64_t>(b) * __popc(pools) * channels + c;
  const auto put = [&](unsigned bit, float value) {
    if ((pools & bit) == 0) return;
    *target = value;
    target += channels;
  };
  put(mean_bit, sum / static_cast<float>(end - begin));
  put(max_bit, top);
  put(sum_bit, sum / divisor);
  put(first_bit, x[static_cast<std::int64_t>(begin) * channels + c]);
  put(last_bit, x[static_cast<std::int64_t>(end - 1) * channels + c]);
}

__global__ void backward_kernel(Rows rows, int channels, unsigned pools, const int* places,
                                const float* grad, float* dx) {
  await_previous();
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
  launch(forward_kernel, {rows.count, {channels, threads / channels}, 0, stream}, rows, channels,
         pools, x, out, places);
}

void pool_backward(Stream stream, Rows rows, int channels, unsigned pools, const int* places,
                   const float* grad, float* dx) {
  launch(backward_kernel, {rows.count + 1, {channels, threads / channels}, 0, stream}, rows,
         channels, pools, places, grad, dx);
}

}  // namespace tsmini::gpu
