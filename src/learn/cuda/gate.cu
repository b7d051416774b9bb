#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

__global__ void forward_kernel(std::int64_t size, int hidden, const float* h, float* out) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const std::int64_t row = i / hidden, at = row * 2 * hidden + i % hidden;
    const float a = h[at];
    out[i] = a / (1 + __expf(-a)) * h[at + hidden];
  }
}

__global__ void backward_kernel(std::int64_t size, int hidden, const float* h, const float* grad,
                                float* dh) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const std::int64_t row = i / hidden, at = row * 2 * hidden + i % hidden;
    const float a = h[at], b = h[at + hidden], s = 1 / (1 + __expf(-a)), g = grad[i];
    dh[at] = g * b * s * (1 + a * (1 - s));
    dh[at + hidden] = g * a * s;
  }
}

}  // namespace

void gate(Stream stream, int rows, int hidden, const float* h, float* out) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * hidden;
  launch(forward_kernel, {each_blocks(size), each_threads, 0, stream}, size, hidden, h, out);
}

void gate_backward(Stream stream, int rows, int hidden, const float* h, const float* grad,
                   float* dh) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * hidden;
  launch(backward_kernel, {each_blocks(size), each_threads, 0, stream}, size, hidden, h, grad, dh);
}

}  // namespace tsmini::gpu
