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
// Threads: channels by 1024 / channels rows.
__global__ void statistics_kernel(Rows rows, int channels, const float* x, float* partial) {
  extern __shared__ float shared[];
  const int channel = threadIdx.x % channels, lane = threadIdx.x / channels;
  const int lanes = static_cast<int>(blockDim.x) / channels;
  int begin, end;
  chunk_of(real_rows(rows), static_cast<int>(blockIdx.x), begin, end);
  const auto total = [&](float value) {
    __syncthreads();
    shared[threadIdx.x] = value;
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
    partial[(blockIdx.x * 2) * channels + channel] = mean;
    partial[(blockIdx.x * 2 + 1) * channels + channel] = squares;
  }
}

// Every block joins the chunks anew (it is little), then normalises its share of the rows.
__global__ void apply_kernel(Rows rows, int channels, const float* x, const float* gain,
                             const float* shift, float* running, float momentum, float epsilon,
                             float slope, const float* partial, float* statistics, float* y) {
  extern __shared__ float shared[];  // scale and offset of each channel
  const int real = real_rows(rows);
  const float n = static_cast<float>(real);
  for (int c = static_cast<int>(threadIdx.x); c < channels; c += static_cast<int>(blockDim.x)) {
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
  const std::int64_t total = static_cast<std::int64_t>(row_capacity(rows)) * channels;
  const std::int64_t filled = static_cast<std::int64_t>(real) * channels;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < total;
       i += static_cast<std::int64_t>(blockDim.x) * gridDim.x) {
    const int c = static_cast<int>(i % channels);
    const float z = x[i] * shared[c] + shared[channels + c];
    y[i] = i < filled ? (z > 0 ? z : slope * z) : 0.0F;
  }
}

// Sums of the gradient, and of it times the normalised input, over one chunk.
__global__ void backward_sums_kernel(Rows rows, int channels, const float* x, const float* gain,
                                     const float* shift, const float* statistics, float slope,
                                     const float* grad, float* partial) {
  extern __shared__ float shared[];
  const int channel = threadIdx.x % channels, lane = threadIdx.x / channels;
  const int lanes = static_cast<int>(blockDim.x) / channels;
  int begin, end;
  chunk_of(real_rows(rows), static_cast<int>(blockIdx.x), begin, end);
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
  shared[threadIdx.x] = sum;
  shared[blockDim.x + threadIdx.x] = dot;
  __syncthreads();
  if (lane != 0) return;
  for (int i = 1; i < lanes; ++i) {
    sum += shared[i * channels + channel];
    dot += shared[blockDim.x + i * channels + channel];
  }
  partial[(blockIdx.x * 2) * channels + channel] = sum;
  partial[(blockIdx.x * 2 + 1) * channels + channel] = dot;
}

__global__ void backward_kernel(Rows rows, int channels, const float* x, const float* gain,
                                const float* shift, const float* statistics, float slope,
                                const float* grad, const float* partial, float* dx, float* dgain,
                                float* dshift) {
  extern __shared__ float shared[];  // mean gradient and mean gradient times input
  const int real = real_rows(rows);
  for (int c = static_cast<int>(threadIdx.x); c < channels; c += static_cast<int>(blockDim.x)) {
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
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < total;
       i += static_cast<std::int64_t>(blockDim.x) * gridDim.x) {
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
  statistics_kernel<<<chunks, threads, threads * sizeof(float), stream>>>(rows, channels, x,
                                                                          partial);
  apply_kernel<<<apply_blocks, 256, 2 * channels * sizeof(float), stream>>>(
      rows, channels, x, gain, shift, running, momentum, epsilon, slope, partial, statistics, y);
}

void batch_norm_backward(Stream stream, Rows rows, int channels, const float* x, const float* gain,
                         const float* shift, const float* statistics, float slope,
                         const float* grad, float* partial, float* dx, float* dgain,
                         float* dshift) {
  const int threads = 512 / channels * channels;
  backward_sums_kernel<<<chunks, threads, 2 * threads * sizeof(float), stream>>>(
      rows, channels, x, gain, shift, statistics, slope, grad, partial);
  backward_kernel<<<apply_blocks, 256, 2 * channels * sizeof(float), stream>>>(
      rows, channels, x, gain, shift, statistics, slope, grad, partial, dx, dgain, dshift);
}

}  // namespace tsmini::gpu
