#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/panels.h"
#include "learn/parallel.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

constexpr std::size_t lost = window_rows - 1;

// The first trajectory that begins at a row or after it.
std::size_t trajectory_from(const Packing& packing, std::size_t row) {
  std::size_t low = 0, high = packing.count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (packing.first(middle) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A weight [outs, 3·ins] for the gradient by the rows: [3·outs, ins], the three places backwards.
template <typename T>
Array<T> turned(Tape<T>& tape, const Array<T>& weight, std::size_t ins) {
  const Array<T> turned{tape.memory(weight.size()), window_rows * weight.rows, ins, nullptr};
  for (std::size_t place = 0; place < window_rows; ++place) {
    for (std::size_t o = 0; o < weight.rows; ++o)
      std::copy_n(weight.row(o) + (lost - place) * ins, ins, turned.row(place * weight.rows + o));
  }
  return turned;
}

// Gradients are laid beside the rows they came from, two rows of zeros after each trajectory; so
// all rows of a part are one product.
template <typename T>
void convolve_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                        const Packing& packing, const Array<T>& y) {
  const Packing after = packing.after(lost);
  const std::size_t ins = x.columns, outs = weight.rows;
  const PanelsView<T> panels = panels_of(tape, turned(tape, weight, ins));
  const ProductKernels<T> products = product_kernels<T>();
  const T* grad = tape.gradient(y);
  const auto dx = tape.target(x);
  PartSums<T> sums(tape.arena(), x.rows, weight.size());
  T* spread_parts = tape.memory((x.rows + sums.parts() * lost) * outs);
  each_part(sums.parts(), [&](std::size_t part) {
    T* dweight = sums.start(part);
    const std::size_t begin = trajectory_from(packing, sums.first(part));
    const std::size_t end = trajectory_from(packing, sums.first(part + 1));
    const std::size_t first = packing.first(begin), rows = packing.first(end) - first;
    if (rows == 0) return;
    T* spread = spread_parts + (first + part * lost) * outs;
    T* to = std::fill_n(spread, lost * outs, T{0});
    for (std::size_t b = begin; b < end; ++b) {
      to = std::copy_n(grad + after.first(b) * outs, after.length(b) * outs, to);
      to = std::fill_n(to, lost * outs, T{0});
    }
    if (dx.data != nullptr)
      products.multiply(rows, {spread, outs}, panels, {dx.data + first * ins, ins}, dx.add);
    products.add_across(rows - lost, outs, window_rows * ins, {spread + lost * outs, outs},
                        {x.row(first), ins}, {dweight, window_rows * ins});
  });
  sums.join({{tape.sole_target(weight), weight.size()}});
}

}  // namespace

// Three neighbouring rows are side by side in memory already: rows 3·ins long that begin ins apart.
template <typename T>
Array<T> convolve(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                  const Packing& packing) {
  const Packing after = packing.after(lost);
  const Array<T> y = tape.array(after.rows(), weight.rows);
  const PanelsView<T> panels = panels_of_transposed(tape, weight);
  each_part(packing.count, [&](std::size_t b) {
    product_kernels<T>().multiply(after.length(b), {x.row(packing.first(b)), x.columns}, panels,
                                  {y.row(after.first(b)), y.columns}, false);
  });
  tape.record([=, &tape] { convolve_gradients(tape, x, weight, packing, y); });
  return y;
}

template Array<float> convolve(Tape<float>&, const Array<float>&, const Array<float>&,
                               const Packing&);
template Array<double> convolve(Tape<double>&, const Array<double>&, const Array<double>&,
                                const Packing&);

}  // namespace tsmini::learn
