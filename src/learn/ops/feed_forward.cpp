#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/panels.h"
#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "simd/thread_memory.h"

namespace tsmini::learn {
namespace {

struct Inner;

template <typename T>
void feed_forward_gradients(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                            const Array<T>& in, const Array<T>& out, const T* gates,
                            const Array<T>& y) {
  const std::size_t width = x.columns, half = out.columns;
  const PanelsView<T> in_panels = panels_of(tape, in), out_panels = panels_of(tape, out);
  const RowKernels<T> kernels = row_kernels<T>();
  const ProductKernels<T> products = product_kernels<T>();
  PartSums<T> sums(tape.arena(), x.rows, width + in.size() + out.size());
  sums.each_block([&](std::size_t first, std::size_t count, T* dgain) {
    T* normal = thread_memory<Inner, T>(block_rows * (2 * width + 4 * half + 1));
    T* dnormal = normal + block_rows * width;
    T* inner = dnormal + block_rows * width;
    T* dinner = inner + block_rows * half;
    T* dgates = dinner + block_rows * half;
    T* inverse = dgates + block_rows * 2 * half;
    T *din = dgain + width, *dout = din + in.size();
    T* g = tape.gradient(y) + first * width;  // becomes the gradient by x
    products.multiply(count, {g, width}, out_panels, {dinner, half}, false);
    kernels.gate_backward(count, half, gates + first * 2 * half, dinner, dgates, inner);
    products.add_across(count, width, half, {g, width}, {inner, half}, {dout, half});
    kernels.rms_norm(count, width, x.row(first), gain.data, normal, inverse);
    products.add_across(count, 2 * half, width, {dgates, 2 * half}, {normal, width}, {din, width});
    products.multiply(count, {dgates, 2 * half}, in_panels, {dnormal, width}, false);
    kernels.rms_norm_backward(count, width, x.row(first), gain.data, inverse, dnormal, g, dgain);
  });
  sums.join({{tape.sole_target(gain), width},
             {tape.sole_target(in), in.size()},
             {tape.sole_target(out), out.size()}});
  tape.pass_on(y, x);
}

}  // namespace

template <typename T>
Array<T> feed_forward(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& in,
                      const Array<T>& out) {
  const std::size_t width = x.columns, half = out.columns;
  const Array<T> y = tape.array(x.rows, width);
  T* gates = tape.memory(x.rows * 2 * half);
  const PanelsView<T> in_panels = panels_of_transposed(tape, in);
  const PanelsView<T> out_panels = panels_of_transposed(tape, out);
  const RowKernels<T> kernels = row_kernels<T>();
  const ProductKernels<T> products = product_kernels<T>();
  each_block(x.rows, [&](std::size_t first, std::size_t count) {
    T* normal = thread_memory<Inner, T>(block_rows * (width + half + 1));
    T* inner = normal + block_rows * width;
    T* inverse = inner + block_rows * half;
    T* gate = gates + first * 2 * half;
    kernels.rms_norm(count, width, x.row(first), gain.data, normal, inverse);
    products.multiply(count, {normal, width}, in_panels, {gate, 2 * half}, false);
    kernels.gate(count, half, gate, inner);
    std::copy_n(x.row(first), count * width, y.row(first));
    products.multiply(count, {inner, half}, out_panels, {y.row(first), width}, true);
  });
  tape.record([=, &tape] { feed_forward_gradients(tape, x, gain, in, out, gates, y); });
  return y;
}

template Array<float> feed_forward(Tape<float>&, const Array<float>&, const Array<float>&,
                                   const Array<float>&, const Array<float>&);
template Array<double> feed_forward(Tape<double>&, const Array<double>&, const Array<double>&,
                                    const Array<double>&, const Array<double>&);

}  // namespace tsmini::learn
