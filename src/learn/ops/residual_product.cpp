#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/panels.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "simd/thread_memory.h"

namespace tsmini::learn {
namespace {

struct Branch;

template <typename T>
void residual_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                        const Array<T>& bias, const Dropout& dropout, const T* branch,
                        const Array<T>& y) {
  const std::size_t width = x.columns;
  const PanelsView<T> panels = panels_of(tape, weight);
  const ProductKernels<T> products = product_kernels<T>();
  PartSums<T> sums(tape.arena(), x.rows, weight.size() + width);
  sums.each_block([&](std::size_t first, std::size_t count, T* dweight) {
    const std::size_t at = first * width;
    T* g = tape.gradient(y) + at;  // becomes the gradient by x
    T* dbranch = thread_memory<Branch, T>(block_rows * width);
    row_kernels<T>().relu_backward(count, width, branch + at,
                                   dropout(at, count * width, g, dbranch), dbranch,
                                   dweight + weight.size());
    products.add_across(count, width, width, {dbranch, width}, {x.row(first), width},
                        {dweight, width});
    products.multiply(count, {dbranch, width}, panels, {g, width}, true);
  });
  sums.join({{tape.sole_target(weight), weight.size()}, {tape.sole_target(bias), width}});
  tape.pass_on(y, x);
}

}  // namespace

template <typename T>
Array<T> residual_product(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                          const Array<T>& bias, const Dropout& dropout) {
  const std::size_t width = x.columns;
  const Array<T> y = tape.array(x.rows, width);
  T* branch = tape.memory(x.size());
  const PanelsView<T> panels = panels_of_transposed(tape, weight);
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    const std::size_t at = first * width, size = count * width;
    T* sums = branch + at;
    for (std::size_t r = 0; r < count; ++r) std::copy_n(bias.data, width, sums + r * width);
    product_kernels<T>().multiply(count, {x.row(first), width}, panels, {sums, width}, true);
    T* left = thread_memory<Branch, T>(block_rows * width);
    row_kernels<T>().add_relu(size, x.row(first), dropout(at, size, sums, left), y.row(first));
  });
  tape.record([=, &tape] { residual_gradients(tape, x, weight, bias, dropout, branch, y); });
  return y;
}

template Array<float> residual_product(Tape<float>&, const Array<float>&, const Array<float>&,
                                       const Array<float>&, const Dropout&);
template Array<double> residual_product(Tape<double>&, const Array<double>&, const Array<double>&,
                                        const Array<double>&, const Dropout&);

}  // namespace tsmini::learn
