#include <cmath>

#include "learn/ops/ops.h"
#include "learn/parallel.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

// Mean of a row, and 1 / deviation.
template <typename T>
struct Moments {
  T mean, inverse;
};

template <typename T>
Moments<T> moments_of(const T* row, std::size_t width) {
  const auto n = static_cast<T>(width);
  T sum = 0, squares = 0;
  for (std::size_t c = 0; c < width; ++c) sum += row[c];
  const T mean = sum / n;
  for (std::size_t c = 0; c < width; ++c) squares += (row[c] - mean) * (row[c] - mean);
  return {mean, 1 / std::sqrt(squares / n + static_cast<T>(norm_epsilon))};
}

// With hat = (x - mean) · inverse and g the gradient by hat:
// dx = inverse · (g - mean(g) - hat · mean(g · hat)).
template <typename T>
void layer_norm_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                          const Array<T>& shift, const Array<T>& y) {
  const std::size_t width = x.columns;
  const T* grad = tape.gradient(y);
  const auto dx = tape.target(x);
  PartSums<T> sums(tape.arena(), x.rows, 2 * width);
  sums.each_block([&](std::size_t first, std::size_t count, T* dgain) {
    T* dshift = dgain + width;
    for (std::size_t r = first; r < first + count; ++r) {
      const T *row = x.row(r), *g = grad + r * width;
      const Moments<T> moments = moments_of(row, width);
      const auto hat = [&](std::size_t c) { return (row[c] - moments.mean) * moments.inverse; };
      T sum = 0, dot = 0;
      for (std::size_t c = 0; c < width; ++c) {
        dgain[c] += g[c] * hat(c);
        dshift[c] += g[c];
        sum += g[c] * gain.data[c];
        dot += g[c] * gain.data[c] * hat(c);
      }
      sum /= static_cast<T>(width);
      dot /= static_cast<T>(width);
      T* to = dx.data + r * width;
      for (std::size_t c = 0; c < width; ++c)
        to[c] =
            (dx.add ? to[c] : T{0}) + moments.inverse * (g[c] * gain.data[c] - sum - hat(c) * dot);
    }
  });
  sums.join({{tape.sole_target(gain), width}, {tape.sole_target(shift), width}});
}

}  // namespace

template <typename T>
Array<T> layer_norm(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& shift) {
  const Array<T> y = tape.array(x.rows, x.columns);
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    for (std::size_t r = first; r < first + count; ++r) {
      const T* row = x.row(r);
      const Moments<T> moments = moments_of(row, x.columns);
      for (std::size_t c = 0; c < x.columns; ++c)
        y.row(r)[c] = (row[c] - moments.mean) * moments.inverse * gain.data[c] + shift.data[c];
    }
  });
  tape.record([=, &tape] { layer_norm_gradients(tape, x, gain, shift, y); });
  return y;
}

template Array<float> layer_norm(Tape<float>&, const Array<float>&, const Array<float>&,
                                 const Array<float>&);
template Array<double> layer_norm(Tape<double>&, const Array<double>&, const Array<double>&,
                                  const Array<double>&);

}  // namespace tsmini::learn
