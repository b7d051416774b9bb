#include <ATen/Parallel.h>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t rows_at_once = 64;

template <typename T>
void forward_cpu(std::int64_t rows, std::int64_t half, const T* h, T* out) {
  at::parallel_for(0, rows, rows_at_once, [&](std::int64_t from, std::int64_t to) {
    row_kernels<T>().gate(static_cast<std::size_t>(to - from), static_cast<std::size_t>(half),
                          h + from * 2 * half, out + from * half);
  });
}

template <typename T>
void backward_cpu(std::int64_t rows, std::int64_t half, const T* h, const T* grad, T* dh) {
  at::parallel_for(0, rows, rows_at_once, [&](std::int64_t from, std::int64_t to) {
    row_kernels<T>().gate_backward(static_cast<std::size_t>(to - from),
                                   static_cast<std::size_t>(half), h + from * 2 * half,
                                   grad + from * half, dh + from * 2 * half, nullptr);
  });
}

struct Gate : torch::autograd::Function<Gate> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input) {
    const at::Tensor h = input.contiguous();
    const std::int64_t rows = h.size(0), half = h.size(1) / 2;
    const at::Tensor out = at::empty({rows, half}, h.options());
    if (h.is_cuda()) {
      if constexpr (with_cuda)
        gpu::gate(current_stream(), static_cast<int>(rows), static_cast<int>(half),
                  h.data_ptr<float>(), out.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "gate", [&] {
        forward_cpu(rows, half, h.data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
      });
    }
    context->save_for_backward({h});
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const at::Tensor h = context->get_saved_variables()[0];
    const at::Tensor grad = grads[0].contiguous(), dh = at::empty_like(h);
    if (h.is_cuda()) {
      if constexpr (with_cuda)
        gpu::gate_backward(current_stream(), static_cast<int>(h.size(0)),
                           static_cast<int>(grad.size(1)), h.data_ptr<float>(),
                           grad.data_ptr<float>(), dh.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "gate_backward", [&] {
        backward_cpu(h.size(0), grad.size(1), h.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
                     dh.data_ptr<scalar_t>());
      });
    }
    return {dh};
  }
};

}  // namespace

at::Tensor gate(const at::Tensor& h) {
  return Gate::apply(h);
}

}  // namespace tsmini::learn
