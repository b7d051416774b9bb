#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int chunks = 64;  // row ranges that are summed apart, in an order that never changes

__device__ inline void chunk_of(int real, int chunk, int& begin, int& end) {
  const int each = (real + chunks - 1) / chunks;
  begin = min(chunk * each, real);
  end = min(begin + each, real);
}

__device__ inline float chunk_size(int real, int chunk) {
  int begin, end;
  chunk_of(real, chunk, begin, end);
  return static_cast<float>(end - begin);
}

// Mean and sum of squared deviations of each channel over one chunk: partial[chunk][2][channels].
// Threads: channels by 512 / channels rows.
__global__ void statistics_kernel(Rows rows, int channels, const float* x, float* partial) {
  float* shared = shared_memory<float>();
  const int channel = thread_place() % channels, lane = thread_place() / channels;
  const int lanes = static_cast<int>(blockDim.x) / channels;
  int begin, end;
  chunk_of(real_rows(rows), block_place(), begin, end);
  const auto total = [&](float value) {
    __syncthreads();
    shared[thread_place()] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < lanes; ++i) sum += shared[i * channels + channel];
    return sum;
  };
  float sum = 0;
  for (int r = begin + lane; r < end; r += lanes)
    sum += x[static_cast<std::int64_t>(r) * channels + channel];
  const float mean = end > begin ? total(sum) / static_cast<float>(end - begin) : total(sum);
  float squares = 0;
  for (int r = begin + lane; r < end; r += lanes) {
    const float d = x[static_cast<std::int64_t>(r) * channels + channel] - mean;
    squares += d * d;
  }
  squares = total(squares);
  if (lane == 0) {
    partial[(block_place() * 2) * channels + channel] = mean;
    partial[(block_place() * 2 + 1) * channels + channel] = squares;
  }
}

// y = leaky(x · scale + offset), both of which `channel_wise` holds; 0 past the real rows.
__device__ inline void scale_rows(const Rows& rows, int channels, const float* x,
                                  const float* channel_wise, float slope, float* y) {
  const std::int64_t total = static_cast<std::int64_t>(row_capacity(rows)) * channels;
  const std::int64_t filled = static_cast<std::int64_t>(real_rows(rows)) * channels;
  for (std::int64_t i = grid_place(); i < total; i += grid_size()) {
    const int c = static_cast<int>(i % channels);
    const float z = x[i] * channel_wise[c] + channel_wise[channels + c];
    y[i] = i < filled ? (z > 0 ? z : slope * z) : 0.0F;
  }
}

// Every block joins the chunks anew (it is little), then normalises its share of the rows.
__global__ void apply_kernel(Rows rows, int channels, const float* x, const float* gain,
                             const float* shift, float* running, float momentum, float epsilon,
                             float slope, const float* partial, float* statistics, float* y) {
  float* shared = shared_memory<float>();  // scale and offset of each channel
  const int real = real_rows(rows);
  const float n = static_cast<float>(real);
  for (int c = thread_place(); c < channels; c += static_cast<int>(blockDim.x)) {
    float mean = 0, squares = 0;
#pragma unroll 16
    for (int i = 0; i < chunks; ++i)
      mean += partial[(2 * i) * channels + c] * chunk_size(real, i);
    mean /= n;
#pragma unroll 16
    for (int i = 0; i < chunks; ++i) {
      const float d = partial[(2 * i) * channels + c] - mean;
      squares += partial[(2 * i + 1) * channels + c] + d * d * chunk_size(real, i);
    }
    const float inverse = rsqrtf(squares / n + epsilon);
    shared[c] = gain[c] * inverse;
    shared[channels + c] = shift[c] - mean * gain[c] * inverse;
    if (blockIdx.x == 0) {
      statistics[c] = mean;
      statistics[channels + c] = inverse;
      running[c] += momentum * (mean - running[c]);
      running[channels + c] +=
          momentum * (squares / fmaxf(n - 1, 1.0F) - running[channels + c]);
    }
  }
  __syncthreads();
  scale_rows(rows, channels, x, shared, slope, y);
}

__global__ void running_kernel(Rows rows, int channels, const float* x, const float* gain,
                               const float* shift, const float* running, float epsilon,
                               float slope, float* y) {
  float* shared = shared_memory<float>();  // scale and offset of each channel
  for (int c = thread_place(); c < channels; c += static_cast<int>(blockDim.x)) {
    const float scale = gain[c] * rsqrtf(running[channels + c] + epsilon);
    shared[c] = scale;
    shared[channels + c] = shift[c] - running[c] * scale;
  }
  __syncthreads();
  scale_rows(rows, channels, x, shared, slope, y);
}

// Sums of the gradient, and of it times the normalised input, over one chunk.
__global__ void backward_sums_kernel(Rows rows, int channels, const float* x, const float* gain,
                                     const float* shift, const float* statistics, float slope,
                                     const float* grad, float* partial) {
  float* shared = shared_memory<float>();
  const int channel = thread_place() % channels, lane = thread_place() / channels;
  const int lanes = static_cast<int>(blockDim.x) / channels;
  int begin, end;
  chunk_of(real_rows(rows), block_place(), begin, end);
  const float mean = statistics[channel], inverse = statistics[channels + channel];
  const float g = gain[channel], s = shift[channel];
  float sum = 0, dot = 0;
  for (int r = begin + lane; r < end; r += lanes) {
    const std::int64_t i = static_cast<std::int64_t>(r) * channels + channel;
    const float hat = (x[i] - mean) * inverse;
    const float d = g * hat + s > 0 ? grad[i] : slope * grad[i];
    sum += d;
    dot += d * hat;
  }
  float* dots = shared + blockDim.x;
  shared[thread_place()] = sum;
  dots[thread_place()] = dot;
  __syncthreads();
  if (lane != 0) return;
  for (int i = 1; i < lanes; ++i) {
    sum += shared[i * channels + channel];
    dot += dots[i * channels + channel];
  }
  partial[(block_place() * 2) * channels + channel] = sum;
  partial[(block_place() * 2 + 1) * channels + channel] = dot;
}

__global__ void backward_kernel(Rows rows, int channels, const float* x, const float* gain,
                                const float* shift, const float* statistics, float slope,
                                const float* grad, const float* partial, float* dx, float* dgain,
                                float* dshift) {
  float* shared = shared_memory<float>();  // mean gradient and mean gradient times input
  const int real = real_rows(rows);
  for (int c = thread_place(); c < channels; c += static_cast<int>(blockDim.x)) {
    float sum = 0, dot = 0;
#pragma unroll 16
    for (int i = 0; i < chunks; ++i) {
      sum += partial[(2 * i) * channels + c];
      dot += partial[(2 * i + 1) * channels + c];
    }
    if (blockIdx.x == 0) {
      dshift[c] = sum;
      dgain[c] = dot;
    }
    shared[c] = sum / static_cast<float>(real);
    shared[channels + c] = dot / static_cast<float>(real);
  }
  __syncthreads();
  const std::int64_t total = static_cast<std::int64_t>(row_capacity(rows)) * channels;
  const std::int64_t filled = static_cast<std::int64_t>(real) * channels;
  for (std::int64_t i = grid_place(); i < total; i += grid_size()) {
    const int c = static_cast<int>(i % channels);
    const float inverse = statistics[channels + c], hat = (x[i] - statistics[c]) * inverse;
    const float d = gain[c] * hat + shift[c] > 0 ? grad[i] : slope * grad[i];
    dx[i] = i < filled
                ? gain[c] * inverse * (d - shared[c] - hat * shared[channels + c])
                : 0.0F;
  }
}

constexpr int apply_blocks = 264;

}  // namespace

int norm_scratch(int channels) { return 2 * chunks * channels; }

void batch_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                const float* shift, float* running, float momentum, float epsilon, float slope,
                float* partial, float* statistics, float* y) {
  const int threads = 512 / channels * channels;
  launch(statistics_kernel, {chunks, threads, bytes_of<float>(threads), stream}, rows, channels, x,
         partial);
  launch(apply_kernel, {apply_blocks, 256, bytes_of<float>(2 * channels), stream}, rows, channels, x,
         gain, shift, running, momentum, epsilon, slope, partial, statistics, y);
}

void batch_norm_backward(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                         const float* shift, const float* statistics, float slope,
                         const float* grad, float* partial, float* dx, float* dgain,
                         float* dshift) {
  const int threads = 512 / channels * channels;
  launch(backward_sums_kernel, {chunks, threads, bytes_of<float>(2 * threads), stream}, rows,
         channels, x, gain, shift, statistics, slope, grad, partial);
  launch(backward_kernel, {apply_blocks, 256, bytes_of<float>(2 * channels), stream}, rows, channels,
         x, gain, shift, statistics, slope, grad, partial, dx, dgain, dshift);
}

void running_norm(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                  const float* shift, const float* running, float epsilon, float slope, float* y) {
  launch(running_kernel, {apply_blocks, 256, bytes_of<float>(2 * channels), stream}, rows, channels,
         x, gain, shift, running, epsilon, slope, y);
}

}  // namespace tsmini::gpu
