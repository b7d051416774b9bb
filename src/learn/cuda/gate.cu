#include <type_traits>

#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int threads = 128;

// Neighbouring numbers that a thread takes at once: four where rows are made of fours.
struct One {
  float at[1];
};
template <int each>
using Some = std::conditional_t<each == 4, Four, One>;
template <int each>
__device__ inline Some<each> load(const float* from) {
  if constexpr (each == 4) {
    return load_four(from);
  } else {
    return {{*from}};
  }
}
__device__ inline void store(float* to, const One& one) {
  *to = one.at[0];
}
__device__ inline void store(float* to, const Four& four) {
  store_four(to, four);
}

// A block takes a row after the other.
template <int each>
__global__ void __launch_bounds__(threads)
    forward_kernel(int rows, int hidden, const float* h, float* out) {
  await_previous();
  for (int row = block_place(); row < rows; row += static_cast<int>(gridDim.x)) {
    const float* source = h + static_cast<std::int64_t>(row) * 2 * hidden;
    float* target = out + static_cast<std::int64_t>(row) * hidden;
    for (int c = thread_place() * each; c < hidden; c += threads * each) {
      const Some<each> a = load<each>(source + c), b = load<each>(source + c + hidden);
      Some<each> y;
#pragma unroll
      for (int u = 0; u < each; ++u) y.at[u] = a.at[u] / (1 + __expf(-a.at[u])) * b.at[u];
      store(target + c, y);
    }
  }
}

template <int each>
__global__ void __launch_bounds__(threads)
    backward_kernel(int rows, int hidden, const float* h, const float* grad, float* dh) {
  await_previous();
  for (int row = block_place(); row < rows; row += static_cast<int>(gridDim.x)) {
    const float* from = grad + static_cast<std::int64_t>(row) * hidden;
    const std::int64_t begin = static_cast<std::int64_t>(row) * 2 * hidden;
    for (int c = thread_place() * each; c < hidden; c += threads * each) {
      const Some<each> a = load<each>(h + begin + c), b = load<each>(h + begin + hidden + c);
      const Some<each> g = load<each>(from + c);
      Some<each> da, db;
#pragma unroll
      for (int u = 0; u < each; ++u) {
        const float s = 1 / (1 + __expf(-a.at[u]));
        da.at[u] = g.at[u] * b.at[u] * s * (1 + a.at[u] * (1 - s));
        db.at[u] = g.at[u] * a.at[u] * s;
      }
      store(dh + begin + c, da);
      store(dh + begin + hidden + c, db);
    }
  }
}

int blocks_for(int rows) {
  return std::min(rows, many_blocks);
}

}  // namespace

void gate(Stream stream, int rows, int hidden, const float* h, float* out) {
  launch(hidden % 4 == 0 ? forward_kernel<4> : forward_kernel<1>,
         {blocks_for(rows), threads, 0, stream}, rows, hidden, h, out);
}

void gate_backward(Stream stream, int rows, int hidden, const float* h, const float* grad,
                   float* dh) {
  launch(hidden % 4 == 0 ? backward_kernel<4> : backward_kernel<1>,
         {blocks_for(rows), threads, 0, stream}, rows, hidden, h, grad, dh);
}

}  // namespace tsmini::gpu
