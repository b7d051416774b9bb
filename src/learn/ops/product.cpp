#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/panels.h"
#include "learn/parallel.h"

namespace tsmini::learn {
namespace {

template <typename T>
void add_column_sums(std::size_t rows, std::size_t columns, const T* x, T* sums) {
  for (std::size_t r = 0; r < rows; ++r, x += columns) {
    for (std::size_t c = 0; c < columns; ++c) sums[c] += x[c];
  }
}

template <typename T>
void product_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                       const Added<T>& added, const Array<T>& y) {
  const std::size_t ins = x.columns, outs = y.columns;
  const ProductKernels<T> products = product_kernels<T>();
  const T* grad = tape.gradient(y);
  const auto dx = tape.target(x);
  PanelsView<T> panels{};
  if (dx.data != nullptr) panels = panels_of(tape, weight);
  PartSums<T> sums(tape.arena(), x.rows, outs * ins + (added.bias ? outs : 0));
  sums.each_block([&](std::size_t first, std::size_t count, T* dweight) {
    const RowsIn<T> g{grad + first * outs, outs};
    products.add_across(count, outs, ins, g, {x.row(first), ins}, {dweight, ins});
    if (added.bias) add_column_sums(count, outs, g.data, dweight + outs * ins);
    if (dx.data != nullptr)
      products.multiply(count, g, panels, {dx.data + first * ins, ins}, dx.add);
  });
  sums.join({{tape.sole_target(weight), outs * ins},
             {added.bias ? tape.sole_target(added.bias) : nullptr, added.bias ? outs : 0}});
  if (added.residual) tape.pass_on(y, added.residual);
}

}  // namespace

template <typename T>
Array<T> product(Tape<T>& tape, const Array<T>& x, const Array<T>& weight, const Added<T>& added) {
  const Array<T> y = tape.array(x.rows, weight.rows);
  const PanelsView<T> panels = panels_of_transposed(tape, weight);
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    T* to = y.row(first);
    if (added.residual) {
      std::copy_n(added.residual.row(first), count * y.columns, to);
    } else if (added.bias) {
      std::fill_n(to, count * y.columns, T{0});
    }
    if (added.bias) {
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < y.columns; ++c) to[r * y.columns + c] += added.bias.data[c];
      }
    }
    product_kernels<T>().multiply(count, {x.row(first), x.columns}, panels, {to, y.columns},
                                  added.residual || added.bias);
  });
  tape.record([=, &tape] { product_gradients(tape, x, weight, added, y); });
  return y;
}

template Array<float> product(Tape<float>&, const Array<float>&, const Array<float>&,
                              const Added<float>&);
template Array<double> product(Tape<double>&, const Array<double>&, const Array<double>&,
                               const Added<double>&);

}  // namespace tsmini::learn
