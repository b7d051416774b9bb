#include "rivals/core/fine_tuning.h"

#include <cmath>
#include <numbers>

#include "rivals/core/pair_losses.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t batch = 256, epochs = 20;
constexpr double rate = .001, head_decay = 1e-4;

}  // namespace

RegressionHeadImpl::RegressionHeadImpl() {
  first_ = register_module("first", torch::nn::Linear(dimension, dimension));
  second_ = register_module("second", torch::nn::Linear(dimension, dimension));
}

Tensor RegressionHeadImpl::forward(const Tensor& encoded) {
  return torch::nn::functional::normalize(second_(torch::relu(first_(encoded))));
}

double distance_unit(bool unscaled) {
  return unscaled ? 1 : 2 * std::sqrt(static_cast<double>(dimension) / std::numbers::pi);
}

Stage fine_tuning(Rival& rival, const TrainingSet& set, const torch::nn::Module& encoder,
                  const torch::nn::Module& head, double unit) {
  const std::int64_t trips = set.streams[0].size();
  return {.steps = epochs * all_pairs_steps(trips, batch),
          .groups = {{encoder.parameters()}, {head.parameters(), head_decay}},
          .loss =
              [&rival, &set, trips, unit] {
                const Tensor ids = draw(trips, batch);
                const Tensor rows = rival.embed(set.streams, ids_of(ids)) / unit;
                return all_pairs_loss(MetricKind::l1, rows, set.labels.among(ids));
              },
          .rate = halving(rate, 3)};
}

}  // namespace tsmini::rivals
