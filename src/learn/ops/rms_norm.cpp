#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>

#include "learn/ops/ops.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double epsilon = 1e-5;
constexpr std::int64_t chunks = 64;

template <typename T>
void forward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain, T* y,
                 T* inverse) {
  at::parallel_for(0, rows, 256, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t r = from; r < to; ++r) {
      const T* in = x + r * channels;
      T squares = 0;
      for (std::int64_t c = 0; c < channels; ++c) squares += in[c] * in[c];
      const T f = 1 / std::sqrt(squares / static_cast<T>(channels) + static_cast<T>(epsilon));
      inverse[r] = f;
      for (std::int64_t c = 0; c < channels; ++c) y[r * channels + c] = in[c] * f * gain[c];
    }
  });
}

template <typename T>
void backward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain,
                  const T* inverse, const T* grad, T* dx, T* dgain) {
  std::vector<T> partial(static_cast<std::size_t>(chunks * channels));
  const std::int64_t each = (rows + chunks - 1) / chunks;
  at::parallel_for(0, chunks, 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t chunk = from; chunk < to; ++chunk) {
      T* sums = partial.data() + chunk * channels;
      for (std::int64_t r = chunk * each; r < std::min((chunk + 1) * each, rows); ++r) {
        const T *in = x + r * channels, *d = grad + r * channels;
        const T f = inverse[r];
        T dot = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
          dot += d[c] * gain[c] * in[c];
          sums[c] += d[c] * in[c] * f;
        }
        dot *= f * f * f / static_cast<T>(channels);
        for (std::int64_t c = 0; c < channels; ++c)
          dx[r * channels + c] = d[c] * gain[c] * f - in[c] * dot;
      }
    }
  });
  std::fill_n(dgain, channels, T{0});
  for (std::int64_t i = 0; i < chunks * channels; ++i)
    dgain[i % channels] += partial[static_cast<std::size_t>(i)];
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
    const at::Tensor dx = at::empty_like(x), dgain = at::empty_like(gain);
    if (x.is_cuda()) {
      if constexpr (with_cuda) {
        const at::Tensor partial =
            at::empty({gpu::norm_scratch(static_cast<int>(channels))}, x.options());
        gpu::rms_norm_backward(current_stream(), static_cast<int>(rows), static_cast<int>(channels),
                               x.data_ptr<float>(), gain.data_ptr<float>(),
                               inverse.data_ptr<float>(), grad.data_ptr<float>(),
                               partial.data_ptr<float>(), dx.data_ptr<float>(),
                               dgain.data_ptr<float>());
      }
    } else {
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "rms_norm_backward", [&] {
        backward_cpu(rows, channels, x.data_ptr<scalar_t>(), gain.data_ptr<scalar_t>(),
                     inverse.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
                     dx.data_ptr<scalar_t>(), dgain.data_ptr<scalar_t>());
      });
    }
    return {dx, dgain};
  }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& gain) {
  return RmsNorm::apply(x, gain);
}

}  // namespace tsmini::learn
