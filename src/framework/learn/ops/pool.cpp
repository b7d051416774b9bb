#include <algorithm>
#include <bit>

#include <ATen/Parallel.h>

#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"
#include "learn/ops/row_parts.h"
#include "learn/pools.h"
#include "measure/thread_memory.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct PoolRows;

template <typename T>
void forward_cpu(const Packing& packing, std::int64_t channels, unsigned bits, const T* x, T* out,
                 int* places) {
  const std::int64_t width = std::popcount(bits) * channels;
  each_part(packing.count, [&](std::int64_t b) {
    const auto n = static_cast<std::size_t>(channels);
    const std::int64_t begin = packing.first(b), end = packing.first(b + 1);
    const T* first = x + begin * channels;
    const T* last = x + (end - 1) * channels;
    T* sum = thread_memory<PoolRows, T>(3 * n);
    T *most = sum + n, *place = most + n;
    row_kernels<T>().pool(static_cast<std::size_t>(end - begin), n, first, sum, most, place);
    for (std::size_t c = 0; c < n; ++c)
      places[b * channels + static_cast<std::int64_t>(c)] =
          static_cast<int>(begin) + static_cast<int>(place[c]);
    T* target = out + b * width;
    const auto put = [&](unsigned bit, auto value_of) {
      if ((bits & bit) == 0) return;
      for (std::size_t c = 0; c < n; ++c) *target++ = value_of(c);
    };
    put(mean_bit, [&](std::size_t c) { return sum[c] / static_cast<T>(end - begin); });
    put(max_bit, [&](std::size_t c) { return most[c]; });
    put(sum_bit, [&](std::size_t c) { return sum[c] / static_cast<T>(sum_divisor); });
    put(first_bit, [&](std::size_t c) { return first[c]; });
    put(last_bit, [&](std::size_t c) { return last[c]; });
  });
}

template <typename T>
void backward_cpu(const Packing& packing, std::int64_t channels, unsigned bits, const int* places,
                  const T* grad, T* dx) {
  const std::int64_t width = std::popcount(bits) * channels;
  at::parallel_for(0, packing.count, 8, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      const std::int64_t begin = packing.first(b), end = packing.first(b + 1);
      const T* source = grad + b * width;
      const auto take = [&](unsigned bit) {
        const T* part = (bits & bit) != 0 ? source : nullptr;
        if (part != nullptr) source += channels;
        return part;
      };
      const T *mean = take(mean_bit), *most = take(max_bit), *sum = take(sum_bit);
      const T *first = take(first_bit), *last = take(last_bit);
      T* row = dx + begin * channels;
      for (std::int64_t c = 0; c < channels; ++c)
        row[c] = (mean != nullptr ? mean[c] / static_cast<T>(end - begin) : T{0}) +
                 (sum != nullptr ? sum[c] / static_cast<T>(sum_divisor) : T{0});
      for (std::int64_t r = 1; r < end - begin; ++r) std::copy_n(row, channels, row + r * channels);
      for (std::int64_t c = 0; c < channels; ++c) {
        if (most != nullptr) dx[places[b * channels + c] * channels + c] += most[c];
        if (first != nullptr) dx[begin * channels + c] += first[c];
        if (last != nullptr) dx[(end - 1) * channels + c] += last[c];
      }
    }
  });
}

struct PoolRows : torch::autograd::Function<PoolRows> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, std::int64_t bits,
                            const Packing& packing) {
    const at::Tensor x = input.contiguous();
    const std::int64_t channels = x.size(1);
    const auto pools = static_cast<unsigned>(bits);
    const at::Tensor out = at::empty({packing.count, std::popcount(pools) * channels}, x.options());
    const at::Tensor places = at::zeros({packing.count, channels}, x.options().dtype(at::kInt));
    if (x.is_cuda()) {
      if constexpr (with_cuda)
        gpu::pool(current_stream(), packing.on_gpu(), static_cast<int>(channels), pools,
                  x.data_ptr<float>(), out.data_ptr<float>(), places.data_ptr<int>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pool", [&] {
        forward_cpu(packing, channels, pools, x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(),
                    places.data_ptr<int>());
      });
    }
    context->save_for_backward({places});
    context->saved_data["bits"] = bits;
    packing.save(context);
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const Packing packing = Packing::restore(context);
    const at::Tensor places = context->get_saved_variables()[0];
    const auto pools = static_cast<unsigned>(context->saved_data["bits"].toInt());
    const at::Tensor grad = grads[0].contiguous();
    const std::int64_t channels = places.size(1);
    const at::Tensor dx = at::empty({packing.rows(), channels}, grad.options());
    if (grad.is_cuda()) {
      if constexpr (with_cuda)
        gpu::pool_backward(current_stream(), packing.on_gpu(), static_cast<int>(channels), pools,
                           places.data_ptr<int>(), grad.data_ptr<float>(), dx.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "pool_backward", [&] {
        backward_cpu(packing, channels, pools, places.data_ptr<int>(), grad.data_ptr<scalar_t>(),
                     dx.data_ptr<scalar_t>());
      });
    }
    return {dx, {}, {}};
  }
};

}  // namespace

at::Tensor pool(const at::Tensor& x, unsigned bits, const Packing& packing) {
  return PoolRows::apply(x, std::int64_t{bits}, packing);
}

}  // namespace tsmini::learn
