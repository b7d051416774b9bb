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

struct NormProduct : torch::autograd::Function<NormProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain, const at::Tensor& weight) {
    const at::Tensor x = input.contiguous();
    const std::int64_t rows = x.size(0), ins = x.size(1), outs = weight.size(0);
    const at::Tensor y = at::empty({rows, outs}, x.options());
    const Panels panels = Panels::of_transposed(weight);
    const RowKernels<float> kernels = row_kernels<float>();
    const auto width = static_cast<std::size_t>(ins);
    each_block(rows, [&](std::int64_t first, std::int64_t count) {
      const auto n = static_cast<std::size_t>(count);
      float* normal = thread_memory<NormProduct, float>(block_rows * (width + 1));
      kernels.rms_norm(n, width, x.data_ptr<float>() + first * ins, gain.data_ptr<float>(), normal,
                       normal + block_rows * width);
      product_kernels().multiply(
          n, {normal, width}, panels.view(),
          {y.data_ptr<float>() + first * outs, static_cast<std::size_t>(outs)}, false);
    });
    context->save_for_backward({x, gain, weight});
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &gain = saved[1], &weight = saved[2];
    const at::Tensor grad = grads[0].contiguous(), dx = at::empty_like(x);
    const std::int64_t rows = x.size(0), ins = x.size(1), outs = weight.size(0);
    const Panels panels = Panels::of(weight);
    const RowKernels<float> kernels = row_kernels<float>();
    const ProductKernels products = product_kernels();
    const auto width = static_cast<std::size_t>(ins), wide = static_cast<std::size_t>(outs);
    PartSums sums(rows, ins + outs * ins, x.options());
    sums.each_block<float>([&](std::int64_t first, std::int64_t count, float* dgain) {
      const auto n = static_cast<std::size_t>(count);
      float* normal = thread_memory<NormProduct, float>(block_rows * (2 * width + 1));
      float* dnormal = normal + block_rows * width;
      float* inverse = dnormal + block_rows * width;
      const float* in = x.data_ptr<float>() + first * ins;
      float* target = dx.data_ptr<float>() + first * ins;
      const RowsIn g{grad.data_ptr<float>() + first * outs, wide};
      kernels.rms_norm(n, width, in, gain.data_ptr<float>(), normal, inverse);
      products.add_across(n, wide, width, g, {normal, width}, {dgain + ins, width});
      products.multiply(n, g, panels.view(), {dnormal, width}, false);
      std::fill_n(target, count * ins, 0.0F);
      kernels.rms_norm_backward(n, width, in, gain.data_ptr<float>(), inverse, dnormal, target,
                                dgain);
    });
    const at::Tensor joined = sums.joined<float>();
    return {dx, joined.narrow(0, 0, ins), joined.narrow(0, ins, outs * ins).view({outs, ins})};
  }
};

}  // namespace

at::Tensor norm_product(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& weight) {
  if (has_own_products(x)) return NormProduct::apply(x, gain, weight);
  return at::mm(rms_norm(x, gain), weight.t());
}

}  // namespace tsmini::learn
