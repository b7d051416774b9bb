#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

// What is not a number stays none.
__global__ void relu_kernel(std::int64_t size, const float* x, float* y) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) y[i] = x[i] < 0 ? 0.0F : x[i];
}

__global__ void relu_backward_kernel(std::int64_t size, const float* x, const float* grad,
                                     float* dx) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size())
    dx[i] = x[i] > 0 ? grad[i] : 0.0F;
}

__global__ void residual_relu_kernel(std::int64_t size, const float* x, const float* branch,
                                     learn::Dropout dropout, float* y) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    float b = branch[i] < 0 ? 0.0F : branch[i];
    if (dropout.rate > 0) b *= dropout.factor(static_cast<std::uint64_t>(i));
    y[i] = x[i] + b;
  }
}

__global__ void residual_relu_backward_kernel(std::int64_t size, const float* branch,
                                              learn::Dropout dropout, const float* grad,
                                              float* dbranch) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    float d = branch[i] > 0 ? grad[i] : 0.0F;
    if (dropout.rate > 0) d *= dropout.factor(static_cast<std::uint64_t>(i));
    dbranch[i] = d;
  }
}

}  // namespace

void relu(Stream stream, std::int64_t size, const float* x, float* y) {
  launch(relu_kernel, {each_blocks(size), each_threads, 0, stream}, size, x, y);
}

void relu_backward(Stream stream, std::int64_t size, const float* x, const float* grad, float* dx) {
  launch(relu_backward_kernel, {each_blocks(size), each_threads, 0, stream}, size, x, grad, dx);
}

void residual_relu(Stream stream, std::int64_t size, const float* x, const float* branch,
                   const learn::Dropout& dropout, float* y) {
  launch(residual_relu_kernel, {each_blocks(size), each_threads, 0, stream}, size, x, branch,
         dropout, y);
}

void residual_relu_backward(Stream stream, std::int64_t size, const float* branch,
                            const learn::Dropout& dropout, const float* grad, float* dbranch) {
  launch(residual_relu_backward_kernel, {each_blocks(size), each_threads, 0, stream}, size, branch,
         dropout, grad, dbranch);
}

}  // namespace tsmini::gpu
