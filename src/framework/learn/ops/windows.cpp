#include <algorithm>

#include <ATen/Parallel.h>

#include "learn/ops/ops.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <typename T>
void forward_cpu(const Packing& in, std::int64_t channels, const T* x, T* out) {
  const Packing after = in.after(2);
  at::parallel_for(0, in.count, 8, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      const T* source = x + in.first(b) * channels;
      T* target = out + after.first(b) * 3 * channels;
      for (std::int64_t r = after.first(b); r < after.first(b + 1); ++r) {
        std::copy_n(source, 3 * channels, target);
        source += channels;
        target += 3 * channels;
      }
    }
  });
}

template <typename T>
void backward_cpu(const Packing& in, std::int64_t channels, const T* grad, T* dx) {
  const Packing after = in.after(2);
  at::parallel_for(0, in.count, 8, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      T* target = dx + in.first(b) * channels;
      const T* source = grad + after.first(b) * 3 * channels;
      std::fill(target, dx + in.first(b + 1) * channels, T{0});
      for (std::int64_t r = after.first(b); r < after.first(b + 1); ++r) {
        for (std::int64_t i = 0; i < 3 * channels; ++i) target[i] += source[i];
        source += 3 * channels;
        target += channels;
      }
    }
  });
}

struct Windows : torch::autograd::Function<Windows> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const Packing& packing) {
    const at::Tensor x = input.contiguous();
    const std::int64_t channels = x.size(1);
    packing.save(context);
    const at::Tensor out = at::empty({packing.after(2).rows(), 3 * channels}, x.options());
    if constexpr (with_cuda) {
      if (x.is_cuda()) {
        gpu::windows(current_stream(), packing.on_gpu(), static_cast<int>(channels),
                     x.data_ptr<float>(), out.data_ptr<float>());
        return out;
      }
    }
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "windows", [&] {
      forward_cpu(packing, channels, x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const Packing packing = Packing::restore(context);
    const at::Tensor grad = grads[0].contiguous();
    const std::int64_t channels = grad.size(1) / 3;
    const at::Tensor dx = at::empty({packing.rows(), channels}, grad.options());
    if constexpr (with_cuda) {
      if (grad.is_cuda()) {
        gpu::windows_backward(current_stream(), packing.on_gpu(), static_cast<int>(channels),
                              grad.data_ptr<float>(), dx.data_ptr<float>());
        return {dx, {}};
      }
    }
    AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "windows_backward", [&] {
      backward_cpu(packing, channels, grad.data_ptr<scalar_t>(), dx.data_ptr<scalar_t>());
    });
    return {dx, {}};
  }
};

}  // namespace

at::Tensor windows(const at::Tensor& x, const Packing& packing) {
  return Windows::apply(x, packing);
}

}  // namespace tsmini::learn
