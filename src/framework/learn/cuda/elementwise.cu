#include <algorithm>

#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int threads = 256;

int blocks_for(std::int64_t size) {
  return static_cast<int>(std::min<std::int64_t>((size + threads - 1) / threads, 132 * 16));
}

__device__ inline std::int64_t begin() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}
__device__ inline std::int64_t stride() {
  return static_cast<std::int64_t>(blockDim.x) * gridDim.x;
}

__global__ void gate_kernel(std::int64_t size, int hidden, const float* h, float* out) {
  for (std::int64_t i = begin(); i < size; i += stride()) {
    const std::int64_t row = i / hidden, at = row * 2 * hidden + i % hidden;
    const float a = h[at];
    out[i] = a / (1 + __expf(-a)) * h[at + hidden];
  }
}

__global__ void gate_backward_kernel(std::int64_t size, int hidden, const float* h,
                                     const float* grad, float* dh) {
  for (std::int64_t i = begin(); i < size; i += stride()) {
    const std::int64_t row = i / hidden, at = row * 2 * hidden + i % hidden;
    const float a = h[at], b = h[at + hidden], s = 1 / (1 + __expf(-a)), g = grad[i];
    dh[at] = g * b * s * (1 + a * (1 - s));
    dh[at + hidden] = g * a * s;
  }
}

__global__ void residual_relu_kernel(std::int64_t size, const float* x, const float* branch,
                                     float dropout, const std::int64_t* key, float* y) {
  for (std::int64_t i = begin(); i < size; i += stride()) {
    float b = fmaxf(branch[i], 0.0F);
    if (dropout > 0)
      b *= dropout_factor(dropout, *key, residual_salt, static_cast<std::uint64_t>(i));
    y[i] = x[i] + b;
  }
}

__global__ void residual_relu_backward_kernel(std::int64_t size, const float* branch, float dropout,
                                              const std::int64_t* key, const float* grad,
                                              float* dbranch) {
  for (std::int64_t i = begin(); i < size; i += stride()) {
    float d = branch[i] > 0 ? grad[i] : 0.0F;
    if (dropout > 0)
      d *= dropout_factor(dropout, *key, residual_salt, static_cast<std::uint64_t>(i));
    dbranch[i] = d;
  }
}

__global__ void adam_kernel(std::int64_t size, AdamSettings settings, const float* schedule,
                            const float* grad, float* weights, float* first, float* second,
                            float* average) {
  const float rate = schedule[0] / schedule[1], correction = rsqrtf(schedule[2]);
  const float keep = schedule[3];
  for (std::int64_t i = begin(); i < size; i += stride()) {
    const float w = weights[i], g = grad[i] + settings.decay * w;
    const float m = first[i] + (1 - settings.beta1) * (g - first[i]);
    const float v = second[i] + (1 - settings.beta2) * (g * g - second[i]);
    const float moved = w - rate * m / (sqrtf(v) * correction + settings.epsilon);
    first[i] = m;
    second[i] = v;
    weights[i] = moved;
    average[i] += (1 - keep) * (moved - average[i]);
  }
}

}  // namespace

void gate(Stream stream, int rows, int hidden, const float* h, float* out) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * hidden;
  gate_kernel<<<blocks_for(size), threads, 0, stream>>>(size, hidden, h, out);
}

void gate_backward(Stream stream, int rows, int hidden, const float* h, const float* grad,
                   float* dh) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * hidden;
  gate_backward_kernel<<<blocks_for(size), threads, 0, stream>>>(size, hidden, h, grad, dh);
}

void residual_relu(Stream stream, std::int64_t size, const float* x, const float* branch,
                   float dropout, const std::int64_t* key, float* y) {
  residual_relu_kernel<<<blocks_for(size), threads, 0, stream>>>(size, x, branch, dropout, key, y);
}

void residual_relu_backward(Stream stream, std::int64_t size, const float* branch, float dropout,
                            const std::int64_t* key, const float* grad, float* dbranch) {
  residual_relu_backward_kernel<<<blocks_for(size), threads, 0, stream>>>(size, branch, dropout,
                                                                          key, grad, dbranch);
}

void adam(Stream stream, std::int64_t size, AdamSettings settings, const float* schedule,
          const float* grad, float* weights, float* first, float* second, float* average) {
  adam_kernel<<<blocks_for(size), threads, 0, stream>>>(size, settings, schedule, grad, weights,
                                                        first, second, average);
}

}  // namespace tsmini::gpu
