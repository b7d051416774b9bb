#include <vector>

#include <ATen/Parallel.h>

#include "learn/metric_group.h"
#include "learn/ops/ops.h"
#include "learn/ops/row_kernels.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

EmbeddingMetric metric_of(std::int64_t kind, std::int64_t group) {
  return {static_cast<MetricKind>(kind), static_cast<std::size_t>(group)};
}

struct PairDistances : torch::autograd::Function<PairDistances> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, std::int64_t kind,
                            std::int64_t metric_group) {
    const at::Tensor e = input.contiguous();
    const EmbeddingMetric metric = metric_of(kind, metric_group);
    const std::int64_t count = e.size(0), dimension = e.size(1);
    const at::Tensor distances = at::empty({count, count}, e.options());
    if (e.is_cuda()) {
      if constexpr (with_cuda)
        gpu::pair_distances(current_stream(), static_cast<int>(count), static_cast<int>(dimension),
                            metric, e.data_ptr<float>(), distances.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(e.scalar_type(), "pair_distances", [&] {
        const auto* x = e.data_ptr<scalar_t>();
        auto* out = distances.data_ptr<scalar_t>();
        const std::size_t group = group_size(metric, static_cast<std::size_t>(dimension));
        at::parallel_for(0, count, 1, [&](std::int64_t from, std::int64_t to) {
          for (std::int64_t i = from; i < to; ++i)
            row_kernels<scalar_t>().distances(static_cast<std::size_t>(count),
                                              static_cast<std::size_t>(dimension), group,
                                              x + i * dimension, x, out + i * count);
        });
      });
    }
    context->save_for_backward({e, distances});
    context->saved_data["kind"] = kind;
    context->saved_data["group"] = metric_group;
    return distances;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &e = saved[0], &distances = saved[1];
    const EmbeddingMetric metric =
        metric_of(context->saved_data["kind"].toInt(), context->saved_data["group"].toInt());
    const at::Tensor grad = grads[0].contiguous(), de = at::zeros_like(e);
    const std::int64_t count = e.size(0), dimension = e.size(1);
    if (e.is_cuda()) {
      if constexpr (with_cuda)
        gpu::pair_distances_backward(current_stream(), static_cast<int>(count),
                                     static_cast<int>(dimension), metric, e.data_ptr<float>(),
                                     distances.data_ptr<float>(), grad.data_ptr<float>(),
                                     de.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(e.scalar_type(), "pair_distances_backward", [&] {
        const auto* x = e.data_ptr<scalar_t>();
        const auto* p = distances.data_ptr<scalar_t>();
        const auto* g = grad.data_ptr<scalar_t>();
        auto* out = de.data_ptr<scalar_t>();
        const std::size_t group = group_size(metric, static_cast<std::size_t>(dimension));
        at::parallel_for(0, count, 1, [&](std::int64_t from, std::int64_t to) {
          std::vector<scalar_t> pulls(static_cast<std::size_t>(count));
          for (std::int64_t i = from; i < to; ++i) {
            for (std::int64_t j = 0; j < count; ++j)
              pulls[static_cast<std::size_t>(j)] =
                  j == i ? scalar_t{0} : g[i * count + j] + g[j * count + i];
            row_kernels<scalar_t>().distances_backward(
                static_cast<std::size_t>(count), static_cast<std::size_t>(dimension), group,
                x + i * dimension, x, p + i * count, pulls.data(), out + i * dimension);
          }
        });
      });
    }
    return {de, {}, {}};
  }
};

}  // namespace

at::Tensor pair_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric) {
  return PairDistances::apply(embeddings, static_cast<std::int64_t>(metric.kind),
                              static_cast<std::int64_t>(metric.group));
}

}  // namespace tsmini::learn
