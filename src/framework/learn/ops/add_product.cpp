#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/products.h"
#include "learn/ops/row_parts.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct AddProduct : torch::autograd::Function<AddProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& branch, const at::Tensor& weight) {
    const at::Tensor x = input.contiguous(), a = branch.contiguous(), y = at::empty_like(x);
    const std::int64_t ins = a.size(1), outs = x.size(1);
    const Panels panels = Panels::of_transposed(weight);
    each_block(x.size(0), [&](std::int64_t first, std::int64_t count) {
      float* to = y.data_ptr<float>() + first * outs;
      std::copy_n(x.data_ptr<float>() + first * outs, count * outs, to);
      product_kernels().multiply(static_cast<std::size_t>(count),
                                 {a.data_ptr<float>() + first * ins, static_cast<std::size_t>(ins)},
                                 panels.view(), {to, static_cast<std::size_t>(outs)}, true);
    });
    context->save_for_backward({a, weight});
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &a = saved[0], &weight = saved[1];
    const at::Tensor grad = grads[0].contiguous(), da = at::empty_like(a);
    const std::int64_t ins = a.size(1), outs = grad.size(1);
    const Panels panels = Panels::of(weight);
    const ProductKernels products = product_kernels();
    const auto width = static_cast<std::size_t>(ins), wide = static_cast<std::size_t>(outs);
    PartSums sums(a.size(0), outs * ins, a.options());
    sums.each_block<float>([&](std::int64_t first, std::int64_t count, float* dweight) {
      const auto n = static_cast<std::size_t>(count);
      const RowsIn g{grad.data_ptr<float>() + first * outs, wide};
      products.add_across(n, wide, width, g, {a.data_ptr<float>() + first * ins, width},
                          {dweight, width});
      products.multiply(n, g, panels.view(), {da.data_ptr<float>() + first * ins, width}, false);
    });
    return {grad, da, sums.joined<float>().view({outs, ins})};
  }
};

}  // namespace

at::Tensor add_product(const at::Tensor& x, const at::Tensor& a, const at::Tensor& weight) {
  if (has_own_products(x)) return AddProduct::apply(x, a, weight);
  return at::addmm(x, a, weight.t());
}

}  // namespace tsmini::learn
