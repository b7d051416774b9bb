#include "learn/cuda/device.cuh"
#include "learn/cuda/join_parts.h"

namespace tsmini::gpu {
namespace {

constexpr int apply_blocks = 4 * 132;  // that fill the largest GPUs, of 512 threads each

// Threads of a block: all channels by as many rows ("lanes") as fit.
int threads_for(int channels) {
  return 512 / channels * channels;
}

struct Place {
  int channel, lane, lanes;
};
__device__ inline Place place_of(int channels) {
  return {thread_place() % channels, thread_place() / channels,
          static_cast<int>(blockDim.x) / channels};
}

// The sum of what the lanes of a channel bring, for all of them.
__device__ inline float channel_sum(float value, const Place& place, int channels, float* shared) {
  __syncthreads();
  shared[thread_place()] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < place.lanes; ++i) sum += shared[i * channels + place.channel];
  return sum;
}

__device__ inline void chunk_of(int real, int chunk, int& begin, int& end) {
  const int each = (real + row_chunks - 1) / row_chunks;
  begin = min(chunk * each, real);
  end = min(begin + each, real);
}

__device__ inline float chunk_size(int real, int chunk) {
  int begin, end;
  chunk_of(real, chunk, begin, end);
  return static_cast<float>(end - begin);
}

// Mean and sum of squared deviations of each channel over one chunk: partial[chunk][2][channels].
__global__ void statistics_kernel(Rows rows, int channels, const float* x, float* partial) {
  await_previous();
  float* shared = shared_memory<float>();
  const Place place = place_of(channels);
  int begin, end;
  chunk_of(real_rows(rows), block_place(), begin, end);
  float sum = 0, squares = 0;
#pragma unroll 4
  for (int r = begin + place.lane; r < end; r += place.lanes)
    sum += x[static_cast<std::int64_t>(r) * channels + place.channel];
  sum = channel_sum(sum, place, channels, shared);
  const float mean = end > begin ? sum / static_cast<float>(end - begin) : 0.0F;
#pragma unroll 4
  for (int r = begin + place.lane; r < end; r += place.lanes) {
    const float d = x[static_cast<std::int64_t>(r) * channels + place.channel] - mean;
    squares += d * d;
  }
  squares = channel_sum(squares, place, channels, shared);
  if (place.lane == 0) {
    partial[(block_place() * 2) * channels + place.channel] = mean;
    partial[(block_place() * 2 + 1) * channels + place.channel] = squares;
  }
}

// Mean and 1/deviation of each channel, from those of the chunks. Threads: 32 channels by as many
// lanes, which at the end are a warp.
__global__ void join_kernel(int channels, Rows rows, const float* partial, float epsilon,
                            float momentum, float* statistics, float* running) {
  await_previous();
  __shared__ float shared[warp_size][warp_size + 1];
  const int column = thread_place(), lane = static_cast<int>(threadIdx.y), real = real_rows(rows);
  const int first = block_place() * warp_size, from = min(first + column, channels - 1);
  const float n = static_cast<float>(real);
  const auto sum = [&](float value) {
    __syncthreads();
    shared[lane][column] = value;
    __syncthreads();
    return warp_sum(shared[column][lane]);  // of channel first + lane
  };
  float weighted = 0;
#pragma unroll
  for (int i = lane; i < row_chunks; i += warp_size)
    weighted += partial[2 * i * channels + from] * chunk_size(real, i);
  const float my_mean = sum(weighted) / n;
  __shared__ float means[warp_size];
  if (column == 0) means[lane] = my_mean;
  __syncthreads();
  float squares = 0;
#pragma unroll
  for (int i = lane; i < row_chunks; i += warp_size) {
    const float d = partial[2 * i * channels + from] - means[column];
    squares += partial[(2 * i + 1) * channels + from] + d * d * chunk_size(real, i);
  }
  squares = sum(squares);
  const int c = first + lane;
  if (column != 0 || c >= channels) return;
  statistics[c] = my_mean;
  statistics[channels + c] = rsqrtf(squares / n + epsilon);
  running[c] += momentum * (my_mean - running[c]);
  running[channels + c] += momentum * (squares / fmaxf(n - 1, 1.0F) - running[channels + c]);
}

// y = leaky(gain · (x - mean) · inverse + shift); 0 past the real rows. Statistics are mean and
// inverse, or mean and variance.
enum class Spread { inverse, variance };
template <Spread spread>
__global__ void apply_kernel(Rows rows, int channels, const float* x, const float* gain,
                             const float* shift, const float* statistics, float epsilon,
                             float slope, float* y) {
  await_previous();
  const Walk walk = walk_over(channels, block_place(), static_cast<int>(gridDim.x));
  const Four mean = load_four(statistics + walk.column);
  const Four spreads = load_four(statistics + channels + walk.column);
  Four scale = load_four(gain + walk.column), offset = load_four(shift + walk.column);
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    scale.at[u] *= spread == Spread::inverse ? spreads.at[u] : rsqrtf(spreads.at[u] + epsilon);
    offset.at[u] -= mean.at[u] * scale.at[u];
  }
  const int capacity = row_capacity(rows), real = real_rows(rows);
#pragma unroll 2
  for (std::int64_t row = walk.row; row < capacity; row += walk.step) {
    Four out{};
    if (row < real) {
      out = load_four(x + row * channels + walk.column);
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        const float z = out.at[u] * scale.at[u] + offset.at[u];
        out.at[u] = z > 0 ? z : slope * z;
      }
    }
    store_four(y + row * channels + walk.column, out);
  }
}

// Sums of the gradient, and of it times the normalised input, over one chunk.
__global__ void backward_sums_kernel(Rows rows, int channels, const float* x, const float* gain,
                                     const float* shift, const float* statistics, float slope,
                                     const float* grad, float* partial) {
  await_previous();
  float* shared = shared_memory<float>();
  const Place place = place_of(channels);
  const int c = place.channel;
  int begin, end;
  chunk_of(real_rows(rows), block_place(), begin, end);
  const float mean = statistics[c], inverse = statistics[channels + c];
  const float g = gain[c], s = shift[c];
  float sum = 0, dot = 0;
#pragma unroll 4
  for (int r = begin + place.lane; r < end; r += place.lanes) {
    const std::int64_t i = static_cast<std::int64_t>(r) * channels + c;
    const float hat = (x[i] - mean) * inverse;
    const float d = g * hat + s > 0 ? grad[i] : slope * grad[i];
    sum += d;
    dot += d * hat;
  }
  sum = channel_sum(sum, place, channels, shared);
  dot = channel_sum(dot, place, channels, shared);
  if (place.lane != 0) return;
  partial[(block_place() * 2) * channels + c] = sum;
  partial[(block_place() * 2 + 1) * channels + c] = dot;
}

// With hat = (x - mean) · inverse and d the gradient before the leak:
// dx = gain · inverse · (d - mean(d) - hat · mean(d · hat)). `sums`: of d, and of d · hat.
__global__ void backward_kernel(Rows rows, int channels, const float* x, const float* gain,
                                const float* shift, const float* statistics, float slope,
                                const float* grad, const float* sums, float* dx, float* dgain,
                                float* dshift) {
  await_previous();
  const Walk walk = walk_over(channels, block_place(), static_cast<int>(gridDim.x));
  const int c = walk.column, capacity = row_capacity(rows), real = real_rows(rows);
  const Four mean = load_four(statistics + c), inverse = load_four(statistics + channels + c);
  const Four gains = load_four(gain + c), shifts = load_four(shift + c);
  Four mean_sum = load_four(sums + c), mean_dot = load_four(sums + channels + c);
  if (walk.row == 0) {
    store_four(dshift + c, mean_sum);
    store_four(dgain + c, mean_dot);
  }
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    mean_sum.at[u] /= static_cast<float>(real);
    mean_dot.at[u] /= static_cast<float>(real);
  }
#pragma unroll 2
  for (std::int64_t row = walk.row; row < capacity; row += walk.step) {
    Four out{};
    if (row < real) {
      const Four from = load_four(x + row * channels + c);
      out = load_four(grad + row * channels + c);
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        const float hat = (from.at[u] - mean.at[u]) * inverse.at[u];
        const float d = gains.at[u] * hat + shifts.at[u] > 0 ? out.at[u] : slope * out.at[u];
        out.at[u] = gains.at[u] * inverse.at[u] * (d - mean_sum.at[u] - hat * mean_dot.at[u]);
      }
    }
    store_four(dx + row * channels + c, out);
  }
}

}  // namespace

void batch_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                const float* shift, float* running, float momentum, float epsilon, float slope,
                float* partial, float* statistics, float* y) {
  const int threads = threads_for(channels);
  launch(statistics_kernel, {row_chunks, threads, bytes_of<float>(threads), stream}, rows, channels,
         x, partial);
  launch(join_kernel, {(channels + warp_size - 1) / warp_size, {warp_size, warp_size}, 0, stream},
         channels, rows, partial, epsilon, momentum, statistics, running);
  launch(apply_kernel<Spread::inverse>, {apply_blocks, threads, 0, stream}, rows, channels, x, gain,
         shift, statistics, epsilon, slope, y);
}

void batch_norm_backward(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                         const float* shift, const float* statistics, float slope,
                         const float* grad, float* partial, float* dx, float* dgain,
                         float* dshift) {
  const int threads = threads_for(channels);
  launch(backward_sums_kernel, {row_chunks, threads, bytes_of<float>(threads), stream}, rows,
         channels, x, gain, shift, statistics, slope, grad, partial);
  join_parts(stream, row_chunks, 2 * channels, partial, partial);
  launch(backward_kernel, {apply_blocks, threads, 0, stream}, rows, channels, x, gain, shift,
         statistics, slope, grad, partial, dx, dgain, dshift);
}

void running_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                  const float* shift, const float* running, float epsilon, float slope, float* y) {
  launch(apply_kernel<Spread::variance>, {apply_blocks, threads_for(channels), 0, stream}, rows,
         channels, x, gain, shift, running, epsilon, slope, y);
}

}  // namespace tsmini::gpu
