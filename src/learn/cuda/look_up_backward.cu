#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

// Many rows may go to one row of the table, in an order that nobody knows. So they are added as
// whole numbers: all gradients are multiplied by one power of two, as large as lets the sum of all
// rows fit 62 bits. Behind the sums lie the largest magnitude, as the bits of a float, and the
// number of real rows, both found by a maximum, which asks for no order either.
struct Extremes {
  unsigned largest;
  int rows;
};
static_assert(sizeof(Extremes) == sizeof(std::int64_t));

__device__ inline Extremes* extremes_of(std::int64_t* sums, std::int64_t size) {
  return reinterpret_cast<Extremes*>(sums + size);
}

__global__ void clear_kernel(std::int64_t size, std::int64_t* sums) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) sums[i] = 0;
}

// Magnitudes rise with their bits; what is not a number lies above all others.
__global__ void extremes_kernel(std::int64_t size, int channels, const int* places,
                                const float* grad, std::int64_t table_size, std::int64_t* sums) {
  await_previous();
  unsigned largest = 0;
  int rows = 0;
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const int row = static_cast<int>(i / channels);
    if (places[row] < 0) continue;
    largest = max(largest, __float_as_uint(fabsf(grad[i])));
    rows = max(rows, row + 1);
  }
  for (int step = warp_size / 2; step > 0; step /= 2) {
    largest = max(largest, __shfl_xor_sync(~0U, largest, step));
    rows = max(rows, __shfl_xor_sync(~0U, rows, step));
  }
  if (lane_place() != 0) return;
  Extremes* extremes = extremes_of(sums, table_size);
  atomicMax(&extremes->largest, largest);
  atomicMax(&extremes->rows, rows);
}

__device__ inline bool has_sums(const Extremes& extremes) {
  return extremes.largest != 0 && isfinite(__uint_as_float(extremes.largest));
}

// The exponent of the power of two. Each of fewer than 2^b rows stays below 2^(e + 1), so that
// their sum, multiplied, stays below 2^62.
__device__ inline int scale_of(const Extremes& extremes) {
  const int row_bits = 32 - __clz(extremes.rows);
  return 61 - ilogbf(__uint_as_float(extremes.largest)) - row_bits;
}

__global__ void add_kernel(std::int64_t size, int channels, const int* places, const float* grad,
                           std::int64_t table_size, std::int64_t* sums) {
  await_previous();
  const Extremes extremes = *extremes_of(sums, table_size);
  if (!has_sums(extremes)) return;
  const double factor = ldexp(1.0, scale_of(extremes));
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const std::int64_t place = places[i / channels];
    if (place < 0) continue;
    const std::int64_t whole = llrint(static_cast<double>(grad[i]) * factor);
    atomicAdd(reinterpret_cast<unsigned long long*>(sums + place * channels + i % channels),
              static_cast<unsigned long long>(whole));
  }
}

// Where some gradient is not finite, none is a number.
__global__ void finish_kernel(std::int64_t table_size, const std::int64_t* sums, float* dtable) {
  await_previous();
  const Extremes extremes = *reinterpret_cast<const Extremes*>(sums + table_size);
  const float otherwise = extremes.largest == 0 ? 0.0F : NAN;
  const double factor = has_sums(extremes) ? ldexp(1.0, -scale_of(extremes)) : 0;
  for (std::int64_t i = grid_place(); i < table_size; i += grid_size())
    dtable[i] =
        has_sums(extremes) ? static_cast<float>(static_cast<double>(sums[i]) * factor) : otherwise;
}

}  // namespace

std::int64_t look_up_scratch(int table_rows, int channels) {
  return static_cast<std::int64_t>(table_rows) * channels + 1;
}

void look_up_backward(Stream stream, int rows, int channels, const int* places, const float* grad,
                      int table_rows, std::int64_t* sums, float* dtable) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * channels;
  const std::int64_t table_size = static_cast<std::int64_t>(table_rows) * channels;
  const Shape by_rows{each_blocks(size), each_threads, 0, stream};
  const Shape by_table{each_blocks(table_size), each_threads, 0, stream};
  launch(clear_kernel, by_table, table_size + 1, sums);
  launch(extremes_kernel, by_rows, size, channels, places, grad, table_size, sums);
  launch(add_kernel, by_rows, size, channels, places, grad, table_size, sums);
  launch(finish_kernel, by_table, table_size, sums, dtable);
}

}  // namespace tsmini::gpu
