#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

__global__ void add_kernel(std::int64_t size, const float* from, float* to) {
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) to[i] += from[i];
}

__global__ void bias_kernel(Rows rows, int channels, const float* bias, float* y) {
  const std::int64_t total = static_cast<std::int64_t>(row_capacity(rows)) * channels;
  const std::int64_t filled = static_cast<std::int64_t>(real_rows(rows)) * channels;
  for (std::int64_t i = grid_place(); i < total; i += grid_size())
    y[i] = i < filled ? y[i] + bias[i % channels] : 0.0F;
}

}  // namespace

void add(Stream stream, std::int64_t size, const float* from, float* to) {
  launch(add_kernel, {each_blocks(size), each_threads, 0, stream}, size, from, to);
}

void add_bias(Stream stream, Rows rows, int channels, const float* bias, float* y) {
  const std::int64_t size = static_cast<std::int64_t>(rows.size()) * channels;
  launch(bias_kernel, {each_blocks(size), each_threads, 0, stream}, rows, channels, bias, y);
}

}  // namespace tsmini::gpu
