#include <algorithm>
#include <cmath>

#include "learn/ops/ops.h"
#include "learn/parallel.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

template <typename T>
T length_of(const T* row, std::size_t width) {
  T squares = 0;
  for (std::size_t c = 0; c < width; ++c) squares += row[c] * row[c];
  return std::max(std::sqrt(squares), static_cast<T>(least_length));
}

}  // namespace

template <typename T>
Array<T> unit_norm(Tape<T>& tape, const Array<T>& x) {
  const Array<T> y = tape.array(x.rows, x.columns);
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    for (std::size_t r = first; r < first + count; ++r) {
      const T length = length_of(x.row(r), x.columns);
      for (std::size_t c = 0; c < x.columns; ++c) y.row(r)[c] = x.row(r)[c] / length;
    }
  });
  // dx = (g - y · (y · g)) / length: what would only lengthen a row is lost.
  tape.record([=, &tape] {
    const T* grad = tape.gradient(y);
    T* dx = tape.sole_target(x);
    each_block(x.rows, [&](std::size_t first, std::size_t count) {
      for (std::size_t r = first; r < first + count; ++r) {
        const T *g = grad + r * x.columns, *unit = y.row(r);
        const T length = length_of(x.row(r), x.columns);
        T along = 0;
        for (std::size_t c = 0; c < x.columns; ++c) along += unit[c] * g[c];
        for (std::size_t c = 0; c < x.columns; ++c)
          dx[r * x.columns + c] = (g[c] - unit[c] * along) / length;
      }
    });
  });
  return y;
}

template Array<float> unit_norm(Tape<float>&, const Array<float>&);
template Array<double> unit_norm(Tape<double>&, const Array<double>&);

}  // namespace tsmini::learn
