#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int slices = 4;     // blocks a trajectory
constexpr int threads = 384;  // 512 channels make 384 fours

// The rows of trajectory b, or those past the last trajectory: [begin, end).
struct Range {
  std::int64_t begin, end;
};
__device__ inline Range rows_of(const Rows& rows, int b) {
  return {first_row(rows, b), b < rows.count ? first_row(rows, b + 1) : row_capacity(rows)};
}

// Row r of a trajectory's output is 3·channels neighbouring floats of its input.
__global__ void __launch_bounds__(threads)
    windows_kernel(Rows in, Rows after, int channels, const float* x, float* out) {
  await_previous();
  const int b = block_place(), width = 3 * channels;
  const auto [begin, end] = rows_of(after, b);
  const std::int64_t source = first_row(in, b);
  const Walk walk = walk_over(width, static_cast<int>(blockIdx.y), slices);
  for (std::int64_t row = walk.row; row < end - begin; row += walk.step)
    store_four(out + (begin + row) * width + walk.column,
               b < in.count ? load_four(x + (source + row) * channels + walk.column) : Four{});
}

// Each input row gathers from the at most three windows that hold it.
__global__ void __launch_bounds__(threads)
    windows_backward_kernel(Rows in, Rows after, int channels, const float* grad, float* dx) {
  await_previous();
  const int b = block_place(), width = 3 * channels;
  const auto [begin, end] = rows_of(in, b);
  const std::int64_t source = first_row(after, b);
  const std::int64_t outputs = b < in.count ? end - begin - 2 : 0;
  const Walk walk = walk_over(channels, static_cast<int>(blockIdx.y), slices);
  for (std::int64_t row = walk.row; row < end - begin; row += walk.step) {
    Four sum{};
#pragma unroll
    for (int place = 0; place < 3; ++place) {
      const std::int64_t window = row - place;
      if (window < 0 || window >= outputs) continue;
      const Four part =
          load_four(grad + (source + window) * width + place * channels + walk.column);
#pragma unroll
      for (int u = 0; u < 4; ++u) sum.at[u] += part.at[u];
    }
    store_four(dx + (begin + row) * channels + walk.column, sum);
  }
}

}  // namespace

void windows(Stream stream, Rows in, int channels, const float* x, float* out) {
  launch(windows_kernel, {{in.count + 1, slices}, threads, 0, stream}, in, in.after(2), channels, x,
         out);
}

void windows_backward(Stream stream, Rows in, int channels, const float* grad, float* dx) {
  launch(windows_backward_kernel, {{in.count + 1, slices}, threads, 0, stream}, in, in.after(2),
         channels, grad, dx);
}

}  // namespace tsmini::gpu
