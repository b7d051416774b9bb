#include <ATen/Parallel.h>

#include <cmath>

#include "learn/ops/ops.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// LibTorch's vector functions on pieces that stay in the cache.
constexpr std::int64_t rows_at_once = 32;

void forward_cpu(const at::Tensor& h, const at::Tensor& out) {
  const std::int64_t half = out.size(1);
  at::parallel_for(0, h.size(0), rows_at_once, [&](std::int64_t from, std::int64_t to) {
    const at::NoGradGuard no_grad;
    for (std::int64_t r = from; r < to; r += rows_at_once) {
      const std::int64_t end = std::min(r + rows_at_once, to);
      at::Tensor piece = out.slice(0, r, end);
      at::silu_out(piece, h.slice(0, r, end).slice(1, 0, half));
      piece.mul_(h.slice(0, r, end).slice(1, half, 2 * half));
    }
  });
}

void backward_cpu(const at::Tensor& h, const at::Tensor& grad, const at::Tensor& dh) {
  const std::int64_t half = grad.size(1);
  at::parallel_for(0, h.size(0), rows_at_once, [&](std::int64_t from, std::int64_t to) {
    const at::NoGradGuard no_grad;
    for (std::int64_t r = from; r < to; r += rows_at_once) {
      const std::int64_t end = std::min(r + rows_at_once, to);
      const at::Tensor a = h.slice(0, r, end).slice(1, 0, half), d = grad.slice(0, r, end);
      at::Tensor da = dh.slice(0, r, end).slice(1, 0, half);
      at::Tensor db = dh.slice(0, r, end).slice(1, half, 2 * half);
      at::silu_out(db, a);
      db.mul_(d);
      da.copy_(at::silu_backward(d * h.slice(0, r, end).slice(1, half, 2 * half), a));
    }
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
      forward_cpu(h, out);
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
      backward_cpu(h, grad, dh);
    }
    return {dh};
  }
};

}  // namespace

at::Tensor gate(const at::Tensor& h) { return Gate::apply(h); }

}  // namespace tsmini::learn
