#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int slices = 4;  // blocks a trajectory

// Row r of a trajectory's output is 3·channels neighbouring floats of its input.
__global__ void windows_kernel(Rows in, int channels, const float* x, float* out) {
  const Rows after{in.starts, in.count, in.capacity, in.lost + 2};
  const int b = block_place(), width = 3 * channels;
  const int begin = first_row(after, b);
  const int end = b < in.count ? first_row(after, b + 1) : after.capacity - after.lost * in.count;
  const float* source = x + static_cast<std::int64_t>(first_row(in, b)) * channels;
  const int total = (end - begin) * width;
  float* target = out + static_cast<std::int64_t>(begin) * width;
  for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < total;
       i += static_cast<int>(blockDim.x) * slices) {
    const int row = i / width, column = i % width;
    target[i] = b < in.count ? source[row * channels + column] : 0.0F;
  }
}

// Each input row gathers from the at most three windows that hold it.
__global__ void windows_backward_kernel(Rows in, int channels, const float* grad, float* dx) {
  const Rows after{in.starts, in.count, in.capacity, in.lost + 2};
  const int b = block_place(), width = 3 * channels;
  const int begin = first_row(in, b);
  const int end = b < in.count ? first_row(in, b + 1) : in.capacity - in.lost * in.count;
  const int total = (end - begin) * channels, outputs = end - begin - 2;
  const float* source = grad + static_cast<std::int64_t>(first_row(after, b)) * width;
  float* target = dx + static_cast<std::int64_t>(begin) * channels;
  for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < total;
       i += static_cast<int>(blockDim.x) * slices) {
    const int row = i / channels, column = i % channels;
    float sum = 0;
    if (b < in.count) {
      for (int place = 0; place < 3; ++place) {
        const int window = row - place;
        if (window >= 0 && window < outputs)
          sum += source[window * width + place * channels + column];
      }
    }
    target[i] = sum;
  }
}

}  // namespace

void windows(Stream stream, Rows in, int channels, const float* x, float* out) {
  launch(windows_kernel, {{in.count + 1, slices}, 256, 0, stream}, in, channels, x, out);
}

void windows_backward(Stream stream, Rows in, int channels, const float* grad, float* dx) {
  launch(windows_backward_kernel, {{in.count + 1, slices}, 256, 0, stream}, in, channels, grad, dx);
}

}  // namespace tsmini::gpu
