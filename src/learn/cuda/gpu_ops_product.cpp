// Operations around matrix products.
#include "learn/cuda/op_parts.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

void copy(const GpuFloat* from, std::size_t count, GpuFloat* to) {
  gpu::check(
      cudaMemcpyAsync(to, from, count * sizeof(GpuFloat), cudaMemcpyDeviceToDevice, gpu_stream()),
      "copy on the device");
}

// The sums of a gradient's rows: the gradient by a bias.
void bias_gradient(GpuTape& tape, const GpuFloat* grad, std::size_t rows, const GpuArray& bias) {
  const int channels = as_int(bias.columns);
  GpuFloat* partial = tape.memory(static_cast<std::size_t>(gpu::sums_scratch(channels)));
  gpu::column_sums(gpu_stream(), as_int(rows), channels, raw(grad), raw(partial),
                   raw(tape.sole_target(bias)));
}

// Rows divided by their root mean square, times a gain, and 1 / that of each.
struct Normed {
  GpuFloat* rows;
  GpuFloat* inverse;
};

// `copy`: where not nullptr, x goes there too.
Normed rms_norm(GpuTape& tape, const GpuArray& x, const GpuArray& gain, GpuFloat* copy = nullptr) {
  const Normed normed{tape.memory(x.size()), tape.memory(x.rows)};
  gpu::rms_norm(gpu_stream(), as_int(x.rows), as_int(x.columns), raw(x.data), raw(gain.data),
                gpu_epsilon, raw(normed.rows), raw(normed.inverse), raw(copy));
  return normed;
}

// The gradients of y = rms_norm(x) · weightᵀ: by x, the gain and the weight.
void norm_product_gradients(GpuTape& tape, const GpuFloat* grad, const GpuArray& x,
                            const GpuArray& gain, const Normed& normed, const GpuArray& weight) {
  GpuFloat* by_normed = tape.memory(x.size());
  tape.arena().blas().backward(sizes_of(x.rows, weight), raw(grad), raw(normed.rows),
                               raw(weight.data),
                               {raw(tape.sole_target(weight)), raw(by_normed), false});
  const int width = as_int(x.columns);
  GpuFloat* partial = tape.memory(static_cast<std::size_t>(gpu::sums_scratch(width)));
  const auto dx = tape.target(x);
  gpu::rms_norm_backward(gpu_stream(), as_int(x.rows), width, raw(x.data), raw(gain.data),
                         raw(normed.inverse), raw(by_normed), raw(partial), raw(dx.data), dx.add,
                         raw(tape.sole_target(gain)));
}

}  // namespace

template <>
void deliver(GpuTape&, const GpuFloat* from, std::size_t count, GpuFloat* to, bool add) {
  if (!add) return copy(from, count, to);
  gpu::add(gpu_stream(), static_cast<std::int64_t>(count), raw(from), raw(to));
}

template <>
GpuArray product(GpuTape& tape, const GpuArray& x, const GpuArray& weight,
                 const Added<GpuFloat>& added) {
  const gpu::Blas::Sizes sizes = sizes_of(x.rows, weight);
  const GpuArray y = tape.array(x.rows, weight.rows);
  if (added.residual) copy(added.residual.data, y.size(), y.data);
  tape.arena().blas().forward(sizes, raw(x.data), raw(weight.data), raw(y.data),
                              static_cast<bool>(added.residual));
  if (added.bias)
    gpu::add_bias(gpu_stream(), as_int(y.rows), as_int(y.columns), raw(added.bias.data),
                  raw(y.data));
  tape.record([=, &tape] {
    const GpuFloat* grad = tape.gradient(y);
    const auto dx = tape.target(x);
    tape.arena().blas().backward(sizes, raw(grad), raw(x.data), raw(weight.data),
                                 {raw(tape.sole_target(weight)), raw(dx.data), dx.add});
    if (added.bias) bias_gradient(tape, grad, y.rows, added.bias);
    if (added.residual) tape.pass_on(y, added.residual);
  });
  return y;
}

static_assert(window_rows == 3);  // windows.cu writes it out

template <>
GpuArray convolve(GpuTape& tape, const GpuArray& x, const GpuArray& weight,
                  const Packing& packing) {
  const Packing after = packing.after(window_rows - 1);
  const gpu::Blas::Sizes sizes = sizes_of(after.rows(), weight);
  const GpuArray y = tape.array(after.rows(), weight.rows);
  GpuFloat* windows = tape.memory(after.rows() * weight.columns);
  gpu::windows(gpu_stream(), rows_of(packing), as_int(x.columns), raw(x.data), raw(windows));
  tape.arena().blas().forward(sizes, raw(windows), raw(weight.data), raw(y.data), false);
  tape.record([=, &tape] {
    GpuFloat* by_windows =
        x.gradient == nullptr ? nullptr : tape.memory(after.rows() * weight.columns);
    tape.arena().blas().backward(sizes, raw(tape.gradient(y)), raw(windows), raw(weight.data),
                                 {raw(tape.sole_target(weight)), raw(by_windows), false});
    if (x.gradient == nullptr) return;
    const Delivery dx(tape, x);
    gpu::windows_backward(gpu_stream(), rows_of(packing), as_int(x.columns), raw(by_windows),
                          dx.data());
    dx.finish();
  });
  return y;
}

template <>
GpuArray residual_product(GpuTape& tape, const GpuArray& x, const GpuArray& weight,
                          const GpuArray& bias, const Dropout& dropout) {
  const gpu::Blas::Sizes sizes = sizes_of(x.rows, weight);
  const GpuArray y = tape.array(x.rows, x.columns);
  GpuFloat* branch = tape.memory(x.size());
  tape.arena().blas().forward(sizes, raw(x.data), raw(weight.data), raw(branch), false);
  gpu::residual_relu(gpu_stream(), as_int(x.rows), as_int(x.columns), raw(x.data), raw(bias.data),
                     dropout, raw(branch), raw(y.data));
  tape.record([=, &tape] {
    const auto size = static_cast<std::int64_t>(x.size());
    gpu::residual_relu_backward(gpu_stream(), size, raw(branch), dropout, raw(tape.gradient(y)),
                                raw(branch));
    tape.pass_on(y, x);
    const auto dx = tape.target(x);
    tape.arena().blas().backward(sizes, raw(branch), raw(x.data), raw(weight.data),
                                 {raw(tape.sole_target(weight)), raw(dx.data), dx.add});
    bias_gradient(tape, branch, x.rows, bias);
  });
  return y;
}

template <>
GpuArray norm_product(GpuTape& tape, const GpuArray& x, const GpuArray& gain,
                      const GpuArray& weight) {
  const gpu::Blas::Sizes sizes = sizes_of(x.rows, weight);
  const GpuArray y = tape.array(x.rows, weight.rows);
  const Normed normed = rms_norm(tape, x, gain);
  tape.arena().blas().forward(sizes, raw(normed.rows), raw(weight.data), raw(y.data), false);
  tape.record(
      [=, &tape] { norm_product_gradients(tape, tape.gradient(y), x, gain, normed, weight); });
  return y;
}

template <>
GpuArray feed_forward(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& in,
                      const GpuArray& out) {
  const gpu::Blas::Sizes into = sizes_of(x.rows, in), out_of = sizes_of(x.rows, out);
  const int rows = as_int(x.rows), half = as_int(out.columns);
  const GpuArray y = tape.array(x.rows, x.columns);
  const Normed normed = rms_norm(tape, x, gain, y.data);
  GpuFloat *gates = tape.memory(x.rows * in.rows), *inner = tape.memory(x.rows * out.columns);
  tape.arena().blas().forward(into, raw(normed.rows), raw(in.data), raw(gates), false);
  gpu::gate(gpu_stream(), rows, half, raw(gates), raw(inner));
  tape.arena().blas().forward(out_of, raw(inner), raw(out.data), raw(y.data), true);
  tape.record([=, &tape] {
    GpuFloat* by_inner = tape.memory(x.rows * out.columns);
    tape.arena().blas().backward(out_of, raw(tape.gradient(y)), raw(inner), raw(out.data),
                                 {raw(tape.sole_target(out)), raw(by_inner), false});
    gpu::gate_backward(gpu_stream(), rows, half, raw(gates), raw(by_inner), raw(gates));
    tape.pass_on(y, x);
    norm_product_gradients(tape, gates, x, gain, normed, in);
  });
  return y;
}

}  // namespace tsmini::learn
