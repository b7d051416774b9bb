#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

// What is not a number stays none.
__global__ void relu_kernel(std::int64_t size, const float* x, float* y) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) y[i] = x[i] < 0 ? 0.0F : x[i];
}

__global__ void relu_backward_kernel(std::int64_t size, const float* x, const float* grad,
                                     float* dx) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) dx[i] = x[i] > 0 ? grad[i] : 0.0F;
}

__global__ void residual_relu_kernel(int rows, int channels, const float* x, const float* bias,
                                     learn::Dropout dropout, float* branch, float* y) {
  await_previous();
  const Walk walk = walk_over(channels, block_place(), static_cast<int>(gridDim.x));
  const Four biases = load_four(bias + walk.column);
  for (std::int64_t row = walk.row; row < rows; row += walk.step) {
    const std::int64_t at = row * channels + walk.column;
    Four b = load_four(branch + at), sum = load_four(x + at);
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      b.at[u] += biases.at[u];
      float kept = b.at[u] < 0 ? 0.0F : b.at[u];
      if (dropout.rate > 0) kept *= dropout.factor(static_cast<std::uint64_t>(at + u));
      sum.at[u] += kept;
    }
    store_four(branch + at, b);
    store_four(y + at, sum);
  }
}

__global__ void residual_relu_backward_kernel(std::int64_t size, const float* branch,
                                              learn::Dropout dropout, const float* grad,
                                              float* dbranch) {
  await_previous();
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

void residual_relu(Stream stream, int rows, int channels, const float* x, const float* bias,
                   const learn::Dropout& dropout, float* branch, float* y) {
  const std::int64_t fours = static_cast<std::int64_t>(rows) * channels / 4;
  launch(residual_relu_kernel, {each_blocks(fours), each_threads, 0, stream}, rows, channels, x,
         bias, dropout, branch, y);
}

void residual_relu_backward(Stream stream, std::int64_t size, const float* branch,
                            const learn::Dropout& dropout, const float* grad, float* dbranch) {
  launch(residual_relu_backward_kernel, {each_blocks(size), each_threads, 0, stream}, size, branch,
         dropout, grad, dbranch);
}

}  // namespace tsmini::gpu
