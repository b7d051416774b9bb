#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/products.h"
#include "learn/ops/row_kernels.h"
#include "learn/ops/row_parts.h"
#include "learn/place_uniform.h"
#include "measure/thread_memory.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Drop {
  float rate;
  std::int64_t key;

  // What dropout leaves of numbers that stand from `place` on.
  const float* operator()(std::int64_t place, std::int64_t count, const float* values,
                          float* left) const {
    if (rate == 0) return values;
    for (std::int64_t i = 0; i < count; ++i)
      left[i] = values[i] *
                dropout_factor(rate, key, residual_salt, static_cast<std::uint64_t>(place + i));
    return left;
  }
};

struct ResidualProduct : torch::autograd::Function<ResidualProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const Dropout& dropout) {
    const at::Tensor x = input.contiguous(), y = at::empty_like(x), branch = at::empty_like(x);
    const std::int64_t channels = x.size(1);
    const auto width = static_cast<std::size_t>(channels);
    const Drop drop{static_cast<float>(dropout.rate),
                    dropout.rate > 0 ? *dropout.key.data_ptr<std::int64_t>() : 0};
    const Panels panels = Panels::of_transposed(weight);
    each_block(x.size(0), [&](std::int64_t first, std::int64_t count) {
      const std::int64_t at = first * channels, size = count * channels;
      const float* from = x.data_ptr<float>() + at;
      float* sums = branch.data_ptr<float>() + at;
      float* to = y.data_ptr<float>() + at;
      for (std::int64_t r = 0; r < count; ++r)
        std::copy_n(bias.data_ptr<float>(), channels, sums + r * channels);
      product_kernels().multiply(static_cast<std::size_t>(count), {from, width}, panels.view(),
                                 {sums, width}, true);
      float* left = thread_memory<ResidualProduct, float>(block_rows * width);
      row_kernels<float>().add_relu(static_cast<std::size_t>(size), from,
                                    drop(at, size, sums, left), to);
    });
    context->save_for_backward({x, weight, branch});
    context->saved_data["rate"] = double{drop.rate};
    context->saved_data["key"] = drop.key;
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &branch = saved[2];
    const at::Tensor grad = grads[0].contiguous(), dx = at::empty_like(x);
    const std::int64_t channels = x.size(1);
    const auto width = static_cast<std::size_t>(channels);
    const Drop drop{static_cast<float>(context->saved_data["rate"].toDouble()),
                    context->saved_data["key"].toInt()};
    const Panels panels = Panels::of(weight);
    const ProductKernels products = product_kernels();
    PartSums sums(x.size(0), weight.numel() + channels, x.options());
    sums.each_block<float>([&](std::int64_t first, std::int64_t count, float* dweight) {
      const std::int64_t at = first * channels, size = count * channels;
      const auto n = static_cast<std::size_t>(count);
      const float* g = grad.data_ptr<float>() + at;
      float* dbranch = thread_memory<ResidualProduct, float>(block_rows * width);
      float* dbias = dweight + weight.numel();
      float* to = dx.data_ptr<float>() + at;
      row_kernels<float>().relu_backward(n, width, branch.data_ptr<float>() + at,
                                         drop(at, size, g, dbranch), dbranch, dbias);
      products.add_across(n, width, width, {dbranch, width}, {x.data_ptr<float>() + at, width},
                          {dweight, width});
      std::copy_n(g, size, to);
      products.multiply(n, {dbranch, width}, panels.view(), {to, width}, true);
    });
    const at::Tensor joined = sums.joined<float>();
    return {dx,
            joined.narrow(0, 0, weight.numel()).view_as(weight),
            joined.narrow(0, weight.numel(), channels),
            {}};
  }
};

}  // namespace

at::Tensor residual_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                            const Dropout& dropout) {
  if (has_own_products(x)) return ResidualProduct::apply(x, weight, bias, dropout);
  return residual_relu(x, at::addmm(bias, x, weight.t()), dropout);
}

}  // namespace tsmini::learn
