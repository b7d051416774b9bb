#include <algorithm>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/ops/row_parts.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double epsilon = 1e-5;  // of the row kernels too

template <typename T>
void forward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain, T* y,
                 T* inverse) {
  each_block(rows, [&](std::int64_t first, std::int64_t count) {
    row_kernels<T>().rms_norm(static_cast<std::size_t>(count), static_cast<std::size_t>(channels),
                              x + first * channels, gain, y + first * channels, inverse + first);
  });
}

template <typename T>
at::Tensor backward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain,
                        const T* inverse, const T* grad, const at::Tensor& dx) {
  PartSums dgain(rows, channels, dx.options());
  dgain.each_block<T>([&](std::int64_t first, std::int64_t count, T* sums) {
    const std::int64_t at = first * channels;
    T* target = dx.data_ptr<T>() + at;
    std::fill_n(target, count * channels, T{0});
    row_kernels<T>().rms_norm_backward(static_cast<std::size_t>(count),
                                       static_cast<std::size_t>(channels), x + at, gain,
                                       inverse + first, grad + at, target, sums);
  });
  return dgain.joined<T>();
}

struct RmsNorm : torch::autograd::Function<RmsNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain) {
    const at::Tensor x = input.contiguous();
    const std::int64_t rows = x.size(0), channels = x.size(1);
    const at::Tensor y = at::empty_like(x), inverse = at::empty({rows}, x.options());
    if (x.is_cuda()) {
      if constexpr (with_cuda)
        gpu::rms_norm(current_stream(), static_cast<int>(rows), static_cast<int>(channels),
                      x.data_ptr<float>(), gain.data_ptr<float>(), static_cast<float>(epsilon),
                      y.data_ptr<float>(), inverse.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "rms_norm", [&] {
        forward_cpu(rows, channels, x.data_ptr<scalar_t>(), gain.data_ptr<scalar_t>(),
                    y.data_ptr<scalar_t>(), inverse.data_ptr<scalar_t>());
      });
    }
    context->save_for_backward({x, gain, inverse});
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &gain = saved[1], &inverse = saved[2];
    const at::Tensor grad = grads[0].contiguous();
    const std::int64_t rows = x.size(0), channels = x.size(1);
    const at::Tensor dx = at::empty_like(x);
    if (x.is_cuda()) {
      const at::Tensor dgain = at::empty_like(gain);
      if constexpr (with_cuda) {
        const at::Tensor partial =
            at::empty({gpu::norm_scratch(static_cast<int>(channels))}, x.options());
        gpu::rms_norm_backward(current_stream(), static_cast<int>(rows), static_cast<int>(channels),
                               x.data_ptr<float>(), gain.data_ptr<float>(),
                               inverse.data_ptr<float>(), grad.data_ptr<float>(),
                               partial.data_ptr<float>(), dx.data_ptr<float>(),
                               dgain.data_ptr<float>());
      }
      return {dx, dgain};
    }
    at::Tensor dgain;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "rms_norm_backward", [&] {
      dgain = backward_cpu(rows, channels, x.data_ptr<scalar_t>(), gain.data_ptr<scalar_t>(),
                           inverse.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(), dx);
    });
    return {dx, dgain};
  }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& gain) {
  return RmsNorm::apply(x, gain);
}

}  // namespace tsmini::learn
