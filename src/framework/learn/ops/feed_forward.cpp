#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/products.h"
#include "learn/ops/row_kernels.h"
#include "learn/ops/row_parts.h"
#include "measure/thread_memory.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct FeedForward : torch::autograd::Function<FeedForward> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain, const at::Tensor& in, const at::Tensor& out) {
    const at::Tensor x = input.contiguous(), y = at::empty_like(x);
    const std::int64_t rows = x.size(0), channels = x.size(1), hidden = out.size(1);
    const at::Tensor h = at::empty({rows, 2 * hidden}, x.options());
    const Panels in_panels = Panels::of_transposed(in), out_panels = Panels::of_transposed(out);
    const RowKernels<float> kernels = row_kernels<float>();
    const ProductKernels products = product_kernels();
    const auto width = static_cast<std::size_t>(channels), half = static_cast<std::size_t>(hidden);
    each_block(rows, [&](std::int64_t first, std::int64_t count) {
      const auto n = static_cast<std::size_t>(count);
      float* normal = thread_memory<FeedForward, float>(block_rows * (width + half + 1));
      float* inner = normal + block_rows * width;
      float* inverse = inner + block_rows * half;
      const float* from = x.data_ptr<float>() + first * channels;
      float* to = y.data_ptr<float>() + first * channels;
      float* gates = h.data_ptr<float>() + first * 2 * hidden;
      kernels.rms_norm(n, width, from, gain.data_ptr<float>(), normal, inverse);
      products.multiply(n, {normal, width}, in_panels.view(), {gates, 2 * half}, false);
      kernels.gate(n, half, gates, inner);
      std::copy_n(from, count * channels, to);
      products.multiply(n, {inner, half}, out_panels.view(), {to, width}, true);
    });
    context->save_for_backward({x, gain, in, out, h});
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &gain = saved[1], &in = saved[2], &out = saved[3];
    const at::Tensor& h = saved[4];
    const at::Tensor grad = grads[0].contiguous(), dx = at::empty_like(x);
    const std::int64_t rows = x.size(0), channels = x.size(1), hidden = out.size(1);
    const Panels in_panels = Panels::of(in), out_panels = Panels::of(out);
    const RowKernels<float> kernels = row_kernels<float>();
    const ProductKernels products = product_kernels();
    const auto width = static_cast<std::size_t>(channels), half = static_cast<std::size_t>(hidden);
    PartSums sums(rows, channels + in.numel() + out.numel(), x.options());
    sums.each_block<float>([&](std::int64_t first, std::int64_t count, float* dgain) {
      const auto n = static_cast<std::size_t>(count);
      float* normal = thread_memory<FeedForward, float>(block_rows * (2 * width + 4 * half + 1));
      float* dnormal = normal + block_rows * width;
      float* inner = dnormal + block_rows * width;
      float* dinner = inner + block_rows * half;
      float* dh = dinner + block_rows * half;
      float* inverse = dh + block_rows * 2 * half;
      float* din = dgain + channels;
      float* dout = din + in.numel();
      const float* from = x.data_ptr<float>() + first * channels;
      float* to = dx.data_ptr<float>() + first * channels;
      const RowsIn g{grad.data_ptr<float>() + first * channels, width};
      products.multiply(n, g, out_panels.view(), {dinner, half}, false);
      kernels.gate_backward(n, half, h.data_ptr<float>() + first * 2 * hidden, dinner, dh, inner);
      products.add_across(n, width, half, g, {inner, half}, {dout, half});
      kernels.rms_norm(n, width, from, gain.data_ptr<float>(), normal, inverse);
      products.add_across(n, 2 * half, width, {dh, 2 * half}, {normal, width}, {din, width});
      products.multiply(n, {dh, 2 * half}, in_panels.view(), {dnormal, width}, false);
      std::copy_n(g.data, count * channels, to);
      kernels.rms_norm_backward(n, width, from, gain.data_ptr<float>(), inverse, dnormal, to,
                                dgain);
    });
    const at::Tensor joined = sums.joined<float>();
    return {dx, joined.narrow(0, 0, channels), joined.narrow(0, channels, in.numel()).view_as(in),
            joined.narrow(0, channels + in.numel(), out.numel()).view_as(out)};
  }
};

}  // namespace

at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& in,
                        const at::Tensor& out) {
  if (has_own_products(x)) return FeedForward::apply(x, gain, in, out);
  return at::addmm(x, gate(at::mm(rms_norm(x, gain), in.t())), out.t());
}

}  // namespace tsmini::learn
