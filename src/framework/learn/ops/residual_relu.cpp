#include "learn/ops/ops.h"
#include "learn/place_uniform.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <typename T>
void drop_cpu(double rate, std::int64_t key, std::int64_t size, T* values) {
  for (std::int64_t i = 0; i < size; ++i)
    values[i] *= static_cast<T>(dropout_factor(static_cast<float>(rate), key, residual_salt,
                                               static_cast<std::uint64_t>(i)));
}

void drop_cpu(double rate, const at::Tensor& key, at::Tensor& values) {
  if (rate == 0) return;
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "dropout", [&] {
    drop_cpu(rate, *key.data_ptr<std::int64_t>(), values.numel(), values.data_ptr<scalar_t>());
  });
}

struct ResidualRelu : torch::autograd::Function<ResidualRelu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& branch, const Dropout& dropout) {
    const at::Tensor x = input.contiguous();
    context->saved_data["rate"] = dropout.rate;
    context->saved_data["key"] = dropout.key;
    context->save_for_backward({branch});
    if (x.is_cuda()) {
      const at::Tensor y = at::empty_like(x);
      if constexpr (with_cuda)
        gpu::residual_relu(current_stream(), x.numel(), x.data_ptr<float>(),
                           branch.data_ptr<float>(), static_cast<float>(dropout.rate),
                           dropout.key.defined() ? dropout.key.data_ptr<std::int64_t>() : nullptr,
                           y.data_ptr<float>());
      return y;
    }
    at::Tensor y = branch.relu();
    drop_cpu(dropout.rate, dropout.key, y);
    return y.add_(x);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const at::Tensor branch = context->get_saved_variables()[0];
    const at::Tensor key = context->saved_data["key"].toTensor();
    const double rate = context->saved_data["rate"].toDouble();
    const at::Tensor grad = grads[0].contiguous();
    if (grad.is_cuda()) {
      const at::Tensor dbranch = at::empty_like(grad);
      if constexpr (with_cuda)
        gpu::residual_relu_backward(current_stream(), grad.numel(), branch.data_ptr<float>(),
                                    static_cast<float>(rate),
                                    key.defined() ? key.data_ptr<std::int64_t>() : nullptr,
                                    grad.data_ptr<float>(), dbranch.data_ptr<float>());
      return {grad, dbranch, {}};
    }
    at::Tensor dbranch = at::threshold_backward(grad, branch, 0);
    drop_cpu(rate, key, dbranch);
    return {grad, dbranch, {}};
  }
};

}  // namespace

at::Tensor residual_relu(const at::Tensor& x, const at::Tensor& branch, const Dropout& dropout) {
  return ResidualRelu::apply(x, branch, dropout);
}

}  // namespace tsmini::learn
