#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

__global__ void add_kernel(std::int64_t size, const float* from, float* to) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) to[i] += from[i];
}

__global__ void bias_kernel(std::int64_t size, int channels, const float* bias, float* y) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) y[i] += bias[i % channels];
}

}  // namespace

void add(Stream stream, std::int64_t size, const float* from, float* to) {
  launch(add_kernel, {each_blocks(size), each_threads, 0, stream}, size, from, to);
}

void add_bias(Stream stream, int rows, int channels, const float* bias, float* y) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * channels;
  launch(bias_kernel, {each_blocks(size), each_threads, 0, stream}, size, channels, bias, y);
}

}  // namespace tsmini::gpu
