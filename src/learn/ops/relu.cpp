#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/parallel.h"

namespace tsmini::learn {
namespace {

constexpr std::size_t at_once = 1 << 14;

}  // namespace

template <typename T>
Array<T> relu(Tape<T>& tape, const Array<T>& x) {
  const Array<T> y = tape.array(x.rows, x.columns);
  each_piece(x.size(), at_once, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) y.data[i] = std::max(x.data[i], T{0});
  });
  tape.record([=, &tape] {
    T* g = tape.gradient(y);
    each_piece(y.size(), at_once, [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) g[i] = x.data[i] > 0 ? g[i] : T{0};
    });
    tape.pass_on(y, x);
  });
  return y;
}

template Array<float> relu(Tape<float>&, const Array<float>&);
template Array<double> relu(Tape<double>&, const Array<double>&);

}  // namespace tsmini::learn
