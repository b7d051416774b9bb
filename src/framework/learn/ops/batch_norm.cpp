#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/ops/row_parts.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double epsilon = 1e-5;
constexpr double slope = 0.01;
constexpr double momentum = 0.1;
constexpr std::int64_t chunks = 64;  // row ranges summed apart, in an order that never changes

// Two sums a channel over all rows, joined from what `sum` makes of chunks.
template <typename T, typename Sum>
std::vector<double> channel_sums(std::int64_t rows, std::int64_t channels, const Sum& sum) {
  std::vector<T> partial(static_cast<std::size_t>(chunks * 2 * channels));
  const std::int64_t each = (rows + chunks - 1) / chunks;
  each_part(chunks, [&](std::int64_t chunk) {
    T* sums = partial.data() + chunk * 2 * channels;
    const std::int64_t first = std::min(chunk * each, rows), end = std::min(first + each, rows);
    sum(first, static_cast<std::size_t>(end - first), sums, sums + channels);
  });
  std::vector<double> sums(static_cast<std::size_t>(2 * channels));
  for (std::size_t i = 0; i < partial.size(); ++i) sums[i % sums.size()] += partial[i];
  return sums;
}

template <typename T>
void forward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain,
                 const T* shift, T* running, T* statistics, T* y) {
  const auto n = static_cast<double>(rows);
  const auto width = static_cast<std::size_t>(channels);
  // Twice, so that a mean far above the deviation does not eat the digits of the variance.
  std::fill_n(statistics, channels, T{0});
  const auto deviations = [&](std::int64_t first, std::size_t count, T* sum, T* square) {
    row_kernels<T>().deviation_sums(count, width, x + first * channels, statistics, sum, square);
  };
  const auto means = channel_sums<T>(rows, channels, deviations);
  for (std::int64_t c = 0; c < channels; ++c)
    statistics[c] = static_cast<T>(means[static_cast<std::size_t>(c)] / n);
  const auto around = channel_sums<T>(rows, channels, deviations);
  std::vector<T> scale(width), offset(scale);
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const double squares = around[width + i];
    statistics[channels + c] = static_cast<T>(1 / std::sqrt(squares / n + epsilon));
    scale[i] = gain[c] * statistics[channels + c];
    offset[i] = shift[c] - statistics[c] * scale[i];
    running[c] += static_cast<T>(momentum) * (statistics[c] - running[c]);
    running[channels + c] += static_cast<T>(
        momentum * (squares / std::max(n - 1, 1.0) - static_cast<double>(running[channels + c])));
  }
  at::parallel_for(0, rows, 256, [&](std::int64_t from, std::int64_t to) {
    row_kernels<T>().norm(static_cast<std::size_t>(to - from), static_cast<std::size_t>(channels),
                          x + from * channels, scale.data(), offset.data(), y + from * channels);
  });
}

template <typename T>
void backward_cpu(std::int64_t rows, std::int64_t channels, const T* x, const T* gain,
                  const T* shift, const T* statistics, const T* grad, T* dx, T* dgain, T* dshift) {
  const NormChannels<T> norm{statistics, statistics + channels, gain, shift};
  const RowKernels<T> kernels = row_kernels<T>();
  const auto sums =
      channel_sums<T>(rows, channels, [&](std::int64_t first, std::size_t count, T* sum, T* dot) {
        kernels.norm_gradient_sums(count, static_cast<std::size_t>(channels), norm,
                                   x + first * channels, grad + first * channels, sum, dot);
      });
  std::vector<T> mean_d(static_cast<std::size_t>(channels)), mean_dot(mean_d);
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c), j = static_cast<std::size_t>(channels + c);
    dshift[c] = static_cast<T>(sums[i]);
    dgain[c] = static_cast<T>(sums[j]);
    mean_d[i] = static_cast<T>(sums[i] / static_cast<double>(rows));
    mean_dot[i] = static_cast<T>(sums[j] / static_cast<double>(rows));
  }
  at::parallel_for(0, rows, 256, [&](std::int64_t from, std::int64_t to) {
    kernels.norm_gradient(static_cast<std::size_t>(to - from), static_cast<std::size_t>(channels),
                          norm, mean_d.data(), mean_dot.data(), x + from * channels,
                          grad + from * channels, dx + from * channels);
  });
}

struct BatchNorm : torch::autograd::Function<BatchNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain, const at::Tensor& shift,
                            const at::Tensor& running, const Packing& packing) {
    const at::Tensor x = input.contiguous();
    const std::int64_t channels = x.size(1);
    const at::Tensor statistics = at::empty({2, channels}, x.options());
    const at::Tensor y = at::empty_like(x);
    if (x.is_cuda()) {
      if constexpr (with_cuda) {
        const at::Tensor partial =
            at::empty({gpu::norm_scratch(static_cast<int>(channels))}, x.options());
        gpu::batch_norm(
            current_stream(), packing.on_gpu(), static_cast<int>(channels), x.data_ptr<float>(),
            gain.data_ptr<float>(), shift.data_ptr<float>(), running.data_ptr<float>(),
            static_cast<float>(momentum), static_cast<float>(epsilon), static_cast<float>(slope),
            partial.data_ptr<float>(), statistics.data_ptr<float>(), y.data_ptr<float>());
      }
    } else {
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "batch_norm", [&] {
        forward_cpu(packing.rows(), channels, x.data_ptr<scalar_t>(), gain.data_ptr<scalar_t>(),
                    shift.data_ptr<scalar_t>(), running.data_ptr<scalar_t>(),
                    statistics.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
      });
    }
    context->save_for_backward({x, gain, shift, statistics});
    packing.save(context);
    return y;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const Packing packing = Packing::restore(context);
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &gain = saved[1], &shift = saved[2], &statistics = saved[3];
    const at::Tensor grad = grads[0].contiguous();
    const std::int64_t channels = x.size(1);
    const at::Tensor dx = at::empty_like(x), dgain = at::empty_like(gain),
                     dshift = at::empty_like(shift);
    if (x.is_cuda()) {
      if constexpr (with_cuda) {
        const at::Tensor partial =
            at::empty({gpu::norm_scratch(static_cast<int>(channels))}, x.options());
        gpu::batch_norm_backward(
            current_stream(), packing.on_gpu(), static_cast<int>(channels), x.data_ptr<float>(),
            gain.data_ptr<float>(), shift.data_ptr<float>(), statistics.data_ptr<float>(),
            static_cast<float>(slope), grad.data_ptr<float>(), partial.data_ptr<float>(),
            dx.data_ptr<float>(), dgain.data_ptr<float>(), dshift.data_ptr<float>());
      }
    } else {
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "batch_norm_backward", [&] {
        backward_cpu(packing.rows(), channels, x.data_ptr<scalar_t>(), gain.data_ptr<scalar_t>(),
                     shift.data_ptr<scalar_t>(), statistics.data_ptr<scalar_t>(),
                     grad.data_ptr<scalar_t>(), dx.data_ptr<scalar_t>(), dgain.data_ptr<scalar_t>(),
                     dshift.data_ptr<scalar_t>());
      });
    }
    return {dx, dgain, dshift, {}, {}};
  }
};

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& shift,
                      const at::Tensor& running, const Packing& packing) {
  return BatchNorm::apply(x, gain, shift, running, packing);
}

}  // namespace tsmini::learn
