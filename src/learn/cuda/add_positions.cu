#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int slices = 4;     // blocks a trajectory
constexpr int threads = 256;  // of a block: pairs of numbers along x, positions along y

__global__ void add_kernel(Rows rows, int channels, double slowest, float* x) {
  await_previous();
  const int b = block_place(), pair = thread_place();
  const int begin = first_row(rows, b), length = first_row(rows, b + 1) - begin;
  const double turn = pow(slowest, -static_cast<double>(2 * pair) / static_cast<double>(channels));
  const int lanes = static_cast<int>(blockDim.y);
  for (int position = static_cast<int>(blockIdx.y) * lanes + static_cast<int>(threadIdx.y);
       position < length; position += slices * lanes) {
    float* at = x + static_cast<std::int64_t>(begin + position) * channels + 2 * pair;
    const double angle = position * turn;
    at[0] += static_cast<float>(sin(angle));
    at[1] += static_cast<float>(cos(angle));
  }
}

}  // namespace

void add_positions(Stream stream, Rows rows, int channels, double slowest, float* x) {
  const int pairs = channels / 2;
  launch(add_kernel, {{rows.count, slices}, {pairs, threads / pairs}, 0, stream}, rows, channels,
         slowest, x);
}

}  // namespace tsmini::gpu
