#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>

#include "learn/ops/ops.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double per_ln2 = 1.4426950408889634;

// The ranking term of list i; writes its gradient by the predicted distances of row i.
template <typename T>
double rank_row(std::int64_t i, std::int64_t count, const LossSettings& settings, const T* p,
                const T* d, double largest, T* gradient) {
  const auto list = static_cast<std::size_t>(count - 1);
  const std::size_t k = settings.k == 0 ? list : std::min(settings.k, list);
  std::vector<std::int64_t> order;
  for (std::int64_t j = 0; j < count; ++j) {
    if (j != i) order.push_back(j);
  }
  const auto by = [&](const T* values) {
    std::sort(order.begin(), order.end(), [values](std::int64_t a, std::int64_t b) {
      return values[a] != values[b] ? values[a] < values[b] : a < b;
    });
  };
  by(d);
  const double farthest = static_cast<double>(d[order.back()]) / largest;
  double best = 0;
  for (std::size_t r = 0; r < k; ++r)
    best += (std::exp2(farthest - static_cast<double>(d[order[r]]) / largest) - 1) /
            std::log2(static_cast<double>(r + 2));
  by(p);

  const double weight = (1 - settings.lambda) /
                        (settings.rank_mean ? static_cast<double>(count) : 1.0) /
                        std::max(best, 1e-10);
  double loss = 0;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      const std::int64_t near = order[a], far = order[b];
      const double t_near = static_cast<double>(d[near]) / largest;
      const double t_far = static_cast<double>(d[far]) / largest;
      if (t_near >= t_far) continue;
      const double gap = std::abs(static_cast<double>(a) - static_cast<double>(b));
      const double delta = 1 / std::log2(gap + 1) - 1 / std::log2(gap + 2);
      const double w =
          weight * delta * (std::exp2(farthest - t_near) - std::exp2(farthest - t_far));
      const double x =
          settings.slope * (static_cast<double>(p[far]) - static_cast<double>(p[near]));
      const double tail = std::exp(-std::abs(x));
      loss += w * (std::max(-x, 0.0) + std::log1p(tail)) * per_ln2;
      const double push = w * settings.slope * per_ln2 * (x > 0 ? tail : 1.0) / (1 + tail);
      gradient[near] += static_cast<T>(push);
      gradient[far] -= static_cast<T>(push);
    }
  }
  return loss;
}

// The squared error over the upper triangle, with the batch's own scale.
template <typename T>
double squared_error(std::int64_t count, const LossSettings& settings, const T* p, const T* d,
                     double largest, T* gradient) {
  double sum_t = 0, sum_p = 0;
  const auto pairs = [&](const auto& visit) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = i + 1; j < count; ++j)
        visit(i * count + j, static_cast<double>(d[i * count + j]) / largest,
              static_cast<double>(p[i * count + j]));
    }
  };
  pairs([&](std::int64_t, double t, double predicted) {
    sum_t += t;
    sum_p += predicted;
  });
  sum_p = std::max(sum_p, 1e-30);
  const double factor = sum_t / sum_p;
  const double weight =
      settings.lambda * 200 / (static_cast<double>(count) * static_cast<double>(count - 1));
  double loss = 0, pull = 0;
  const auto weight_of = [&](double t) {
    const double near = std::max(1 - t, 0.0);
    return settings.focus == 1 ? near : std::pow(near, settings.focus);
  };
  pairs([&](std::int64_t, double t, double predicted) {
    const double e = predicted * factor - t, w = weight_of(t);
    loss += w * e * e;
    pull += w * e * predicted;
  });
  pairs([&](std::int64_t at, double t, double predicted) {
    const double e = predicted * factor - t;
    gradient[at] +=
        static_cast<T>(2 * weight * (weight_of(t) * e * factor - pull * factor / sum_p));
  });
  return weight * loss;
}

template <typename T>
double loss_cpu(std::int64_t count, const LossSettings& settings, const T* p, const T* d,
                double largest, T* gradient) {
  std::vector<double> rows(static_cast<std::size_t>(count));
  at::parallel_for(0, count, 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i)
      rows[static_cast<std::size_t>(i)] =
          rank_row(i, count, settings, p + i * count, d + i * count, largest, gradient + i * count);
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0) +
         squared_error(count, settings, p, d, largest, gradient);
}

struct SimilarityLoss : torch::autograd::Function<SimilarityLoss> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& predictions,
                            const at::Tensor& labels, const at::Tensor& largest,
                            const LossSettings& settings) {
    const at::Tensor p = predictions.contiguous();
    const std::int64_t count = p.size(0);
    const at::Tensor loss = at::empty({}, p.options());
    at::Tensor gradient;
    if (p.is_cuda()) {
      gradient = at::empty_like(p);
      if constexpr (with_cuda) {
        const at::Tensor scratch = at::empty({5 * count}, p.options());
        gpu::similarity_loss(current_stream(), static_cast<int>(count), settings,
                             p.data_ptr<float>(), labels.data_ptr<float>(),
                             largest.data_ptr<float>(), scratch.data_ptr<float>(),
                             loss.data_ptr<float>(), gradient.data_ptr<float>());
      }
    } else {
      gradient = at::zeros_like(p);
      AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "similarity_loss", [&] {
        *loss.data_ptr<scalar_t>() = static_cast<scalar_t>(loss_cpu(
            count, settings, p.data_ptr<scalar_t>(), labels.data_ptr<scalar_t>(),
            static_cast<double>(*largest.data_ptr<scalar_t>()), gradient.data_ptr<scalar_t>()));
      });
    }
    context->save_for_backward({gradient});
    return loss;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    return {context->get_saved_variables()[0] * grads[0], {}, {}, {}};
  }
};

}  // namespace

at::Tensor similarity_loss(const at::Tensor& predicted, const at::Tensor& labels,
                           const at::Tensor& largest, const LossSettings& settings) {
  return SimilarityLoss::apply(predicted, labels, largest, settings);
}

}  // namespace tsmini::learn
