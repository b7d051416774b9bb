#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/panels.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "simd/thread_memory.h"

namespace tsmini::learn {
namespace {

struct Normal;

template <typename T>
void norm_product_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                            const Array<T>& weight, const Array<T>& y) {
  const std::size_t width = x.columns, wide = weight.rows;
  const PanelsView<T> panels = panels_of(tape, weight);
  const RowKernels<T> kernels = row_kernels<T>();
  const ProductKernels<T> products = product_kernels<T>();
  const T* grad = tape.gradient(y);
  const auto dx = tape.target(x);
  PartSums<T> sums(tape.arena(), x.rows, width + weight.size());
  sums.each_block([&](std::size_t first, std::size_t count, T* dgain) {
    T* normal = thread_memory<Normal, T>(block_rows * (2 * width + 1));
    T* dnormal = normal + block_rows * width;
    T* inverse = dnormal + block_rows * width;
    T* to = dx.data + first * width;
    const RowsIn<T> g{grad + first * wide, wide};
    kernels.rms_norm(count, width, x.row(first), gain.data, normal, inverse);
    products.add_across(count, wide, width, g, {normal, width}, {dgain + width, width});
    products.multiply(count, g, panels, {dnormal, width}, false);
    if (!dx.add) std::fill_n(to, count * width, T{0});
    kernels.rms_norm_backward(count, width, x.row(first), gain.data, inverse, dnormal, to, dgain);
  });
  sums.join({{tape.sole_target(gain), width}, {tape.sole_target(weight), weight.size()}});
}

}  // namespace

template <typename T>
Array<T> norm_product(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                      const Array<T>& weight) {
  const std::size_t width = x.columns;
  const Array<T> y = tape.array(x.rows, weight.rows);
  const PanelsView<T> panels = panels_of_transposed(tape, weight);
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    T* normal = thread_memory<Normal, T>(block_rows * (width + 1));
    row_kernels<T>().rms_norm(count, width, x.row(first), gain.data, normal,
                              normal + block_rows * width);
    product_kernels<T>().multiply(count, {normal, width}, panels, {y.row(first), y.columns}, false);
  });
  tape.record([=, &tape] { norm_product_gradients(tape, x, gain, weight, y); });
  return y;
}

template Array<float> norm_product(Tape<float>&, const Array<float>&, const Array<float>&,
                                   const Array<float>&);
template Array<double> norm_product(Tape<double>&, const Array<double>&, const Array<double>&,
                                    const Array<double>&);

}  // namespace tsmini::learn
