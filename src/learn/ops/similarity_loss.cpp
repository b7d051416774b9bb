#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "learn/gain_reference.h"
#include "learn/ops/ops.h"
#include "learn/parallel.h"
#include "score/distance_order.h"

namespace tsmini::learn {
namespace {

constexpr double per_ln2 = 1.4426950408889634;

template <typename T>
struct Batch {
  std::size_t count;
  const T* predicted;
  const T* labels;
  double largest;
  const LossSettings& settings;
  T* gradient;

  double truth(std::size_t at) const { return static_cast<double>(labels[at]) / largest; }
  double guess(std::size_t at) const { return static_cast<double>(predicted[at]); }
};

// The ranking term of list i; adds its gradient by the predicted distances of row i.
template <typename T>
double rank_row(const Batch<T>& batch, std::size_t i) {
  const LossSettings& settings = batch.settings;
  const std::size_t list = batch.count - 1, row = i * batch.count;
  const std::size_t k = settings.k == 0 ? list : std::min(settings.k, list);
  std::vector<std::size_t> order;
  order.reserve(list);
  for (std::size_t j = 0; j < batch.count; ++j) {
    if (j != i) order.push_back(row + j);
  }
  const auto by = [&](const T* values) { std::sort(order.begin(), order.end(), Nearer(values)); };
  by(batch.labels);
  const double farthest = batch.truth(order.back());
  const double reference = std::min(farthest, batch.truth(order.front()) + farthest_reference);
  const auto gain = [&](double truth) { return std::exp2(reference - truth); };
  const double least = gain(farthest);
  double best = 0;
  for (std::size_t r = 0; r < k; ++r)
    best += (gain(batch.truth(order[r])) - least) / std::log2(static_cast<double>(r + 2));
  by(batch.predicted);

  const double weight = (1 - settings.lambda) /
                        (settings.rank_mean ? static_cast<double>(batch.count) : 1.0) /
                        std::max(best, 1e-10);
  double loss = 0;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      const std::size_t near = order[a], far = order[b];
      const double t_near = batch.truth(near), t_far = batch.truth(far);
      if (t_near >= t_far) continue;
      const double gap = std::abs(static_cast<double>(a) - static_cast<double>(b));
      const double delta = 1 / std::log2(gap + 1) - 1 / std::log2(gap + 2);
      const double w = weight * delta * (gain(t_near) - gain(t_far));
      const double x = settings.slope * (batch.guess(far) - batch.guess(near));
      const double tail = std::exp(-std::abs(x));
      loss += w * (std::max(-x, 0.0) + std::log1p(tail)) * per_ln2;
      const double push = w * settings.slope * per_ln2 * (x > 0 ? tail : 1.0) / (1 + tail);
      batch.gradient[near] += static_cast<T>(push);
      batch.gradient[far] -= static_cast<T>(push);
    }
  }
  return loss;
}

// The squared error over the upper triangle, with the batch's own scale.
template <typename T>
double squared_error(const Batch<T>& batch) {
  const LossSettings& settings = batch.settings;
  const auto pairs = [&](const auto& visit) {
    for (std::size_t i = 0; i < batch.count; ++i) {
      for (std::size_t at = i * batch.count + i + 1; at < (i + 1) * batch.count; ++at)
        visit(at, batch.truth(at), batch.guess(at));
    }
  };
  double truths = 0, guesses = 0;
  pairs([&](std::size_t, double t, double p) {
    truths += t;
    guesses += p;
  });
  guesses = std::max(guesses, 1e-30);
  const double factor = truths / guesses;
  const auto n = static_cast<double>(batch.count);
  const double weight = settings.lambda * 200 / (n * (n - 1));
  const auto weight_of = [&](double t) {
    const double near = std::max(1 - t, 0.0);
    return settings.focus == 1 ? near : std::pow(near, settings.focus);
  };
  double loss = 0, pull = 0;
  pairs([&](std::size_t, double t, double p) {
    const double error = p * factor - t, w = weight_of(t);
    loss += w * error * error;
    pull += w * error * p;
  });
  pairs([&](std::size_t at, double t, double p) {
    const double error = p * factor - t;
    batch.gradient[at] +=
        static_cast<T>(2 * weight * (weight_of(t) * error * factor - pull * factor / guesses));
  });
  return weight * loss;
}

}  // namespace

template <typename T>
void similarity_loss(Tape<T>& tape, const Array<T>& predicted, const T* labels, double largest,
                     const LossSettings& settings, double* sum) {
  T* gradient = tape.sole_target(predicted);
  std::fill_n(gradient, predicted.size(), T{0});
  const Batch<T> batch{predicted.rows, predicted.data, labels, largest, settings, gradient};
  std::vector<double> rows(batch.count);
  each_part(batch.count, [&](std::size_t i) { rows[i] = rank_row(batch, i); });
  *sum += std::accumulate(rows.begin(), rows.end(), 0.0) + squared_error(batch);
}

template void similarity_loss(Tape<float>&, const Array<float>&, const float*, double,
                              const LossSettings&, double*);
template void similarity_loss(Tape<double>&, const Array<double>&, const double*, double,
                              const LossSettings&, double*);

}  // namespace tsmini::learn
