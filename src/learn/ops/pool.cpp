#include <algorithm>
#include <bit>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "learn/pools.h"
#include "simd/thread_memory.h"

namespace tsmini::learn {
namespace {

struct Pooled;

// `places`: the row in its trajectory where each channel is largest.
template <typename T>
void pool_trajectory(const Array<T>& x, std::size_t first, std::size_t length, unsigned bits,
                     T* target, T* places) {
  const std::size_t n = x.columns;
  T* sum = thread_memory<Pooled, T>(2 * n);
  T* most = sum + n;
  row_kernels<T>().pool(length, n, x.row(first), sum, most, places);
  const auto put = [&](unsigned bit, auto value_of) {
    if ((bits & bit) == 0) return;
    for (std::size_t c = 0; c < n; ++c) *target++ = value_of(c);
  };
  put(mean_bit, [&](std::size_t c) { return sum[c] / static_cast<T>(length); });
  put(max_bit, [&](std::size_t c) { return most[c]; });
  put(sum_bit, [&](std::size_t c) { return sum[c] / static_cast<T>(sum_divisor); });
  put(first_bit, [&](std::size_t c) { return x.row(first)[c]; });
  put(last_bit, [&](std::size_t c) { return x.row(first + length - 1)[c]; });
}

template <typename T>
void gradient_of_trajectory(std::size_t channels, std::size_t length, unsigned bits,
                            const T* places, const T* grad, T* dx) {
  const auto take = [&](unsigned bit) {
    const T* part = (bits & bit) != 0 ? grad : nullptr;
    if (part != nullptr) grad += channels;
    return part;
  };
  const T *mean = take(mean_bit), *most = take(max_bit), *sum = take(sum_bit);
  const T *first = take(first_bit), *last = take(last_bit);
  for (std::size_t c = 0; c < channels; ++c)
    dx[c] = (mean != nullptr ? mean[c] / static_cast<T>(length) : T{0}) +
            (sum != nullptr ? sum[c] / static_cast<T>(sum_divisor) : T{0});
  for (std::size_t r = 1; r < length; ++r) std::copy_n(dx, channels, dx + r * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    if (most != nullptr) dx[static_cast<std::size_t>(places[c]) * channels + c] += most[c];
    if (first != nullptr) dx[c] += first[c];
    if (last != nullptr) dx[(length - 1) * channels + c] += last[c];
  }
}

}  // namespace

template <typename T>
Array<T> pool(Tape<T>& tape, const Array<T>& x, unsigned bits, const Packing& packing) {
  const std::size_t channels = x.columns;
  const Array<T> y =
      tape.array(packing.count, static_cast<std::size_t>(std::popcount(bits)) * channels);
  T* places = tape.memory(packing.count * channels);
  each_part(packing.count, [&](std::size_t b) {
    pool_trajectory(x, packing.first(b), packing.length(b), bits, y.row(b), places + b * channels);
  });
  tape.record([=, &tape] {
    const T* grad = tape.gradient(y);
    T* dx = tape.sole_target(x);
    each_part(packing.count, [&](std::size_t b) {
      gradient_of_trajectory(channels, packing.length(b), bits, places + b * channels,
                             grad + b * y.columns, dx + packing.first(b) * channels);
    });
  });
  return y;
}

template Array<float> pool(Tape<float>&, const Array<float>&, unsigned, const Packing&);
template Array<double> pool(Tape<double>&, const Array<double>&, unsigned, const Packing&);

}  // namespace tsmini::learn
