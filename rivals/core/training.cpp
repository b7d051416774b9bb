#include "rivals/core/training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "rivals/core/adam.h"

namespace tsmini::rivals {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Weights and buffers of a network at one moment.
class Snapshot {
 public:
  void take(const Rival& rival) {
    const torch::NoGradGuard no_grad;
    kept_.clear();
    for (const Tensor& tensor : all_of(rival)) kept_.push_back(tensor.clone());
  }
  void give_back(const Rival& rival) const {
    const torch::NoGradGuard no_grad;
    const std::vector<Tensor> tensors = all_of(rival);
    for (std::size_t i = 0; i < kept_.size(); ++i) Tensor(tensors[i]).copy_(kept_[i]);
  }

 private:
  static std::vector<Tensor> all_of(const Rival& rival) {
    std::vector<Tensor> tensors = rival.parameters();
    for (const Tensor& buffer : rival.buffers()) tensors.push_back(buffer);
    return tensors;
  }
  std::vector<Tensor> kept_;
};

// Losses stay on the device until somebody asks: a look at each would make the GPU wait.
class MeanLoss {
 public:
  void add(const Tensor& loss) {
    sum_ = sum_.defined() ? sum_ + loss : loss;
    ++count_;
  }
  double take() {
    const double mean = count_ > 0 ? sum_.item<double>() / static_cast<double>(count_) : 0;
    sum_ = Tensor();
    count_ = 0;
    return mean;
  }

 private:
  Tensor sum_;
  std::uint64_t count_ = 0;
};

}  // namespace

TrainingResult train(Rival& rival, const Stage& stage, const Budget& budget,
                     const Validate& validate, const TrainingWatch& watch) {
  constexpr std::uint64_t look = 8;  // steps between two looks at clock and interruptions
  const std::uint64_t steps = std::max<std::uint64_t>(1, budget.steps.value_or(stage.steps));
  const Clock::time_point start = Clock::now();
  Adam adam(stage.groups);
  Snapshot best;
  TrainingResult result;
  MeanLoss mean;
  double share = 0, seconds = 0, before = 0;
  const auto validated = static_cast<double>(std::max<std::uint64_t>(1, budget.validations));
  double next = 1 / validated;
  rival.train();
  while (result.steps < steps) {
    if (result.steps % look == 0) {
      seconds = seconds_since(start);
      if (watch) watch({result.steps, steps, seconds, 0, nullptr});
    }
    share = static_cast<double>(result.steps) / static_cast<double>(steps);
    if (budget.seconds) share = std::max(share, seconds / *budget.seconds);
    if (share >= 1) break;
    adam.zero_gradients();
    const Tensor loss = stage.loss();
    loss.backward();
    adam.step(stage.rate(share));
    if (stage.stepped) stage.stepped();
    mean.add(loss.detach());
    ++result.steps;
    const double now =
        std::max(share, static_cast<double>(result.steps) / static_cast<double>(steps));
    if (now < next && result.steps < steps) continue;
    while (next <= now) next += 1 / validated;
    result.loss = mean.take();
    if (!std::isfinite(result.loss))
      throw Error(ErrorCode::failure,
                  fmt::format("the loss is not finite after {} steps", result.steps),
                  "try another seed");
    if (!validate) continue;
    rival.eval();
    const RetrievalScore score = validate();
    rival.train();
    seconds = seconds_since(start);
    const bool better = !result.best || score.hr10 > result.best->hr10;
    before = result.best ? result.best->hr10 : 0;
    if (better) {
      result.best = score;
      best.take(rival);
    }
    result.rising = better && score.hr10 > before + .001;
    if (watch) watch({result.steps, steps, seconds, result.loss, &score});
  }
  if (result.best) best.give_back(rival);
  rival.eval();
  result.seconds = seconds_since(start);
  return result;
}

RetrievalScore score_of(const Tensor& predicted, const Tensor& truth) {
  RetrievalMeter meter;
  const auto n = static_cast<std::size_t>(truth.size(1));
  for (std::int64_t q = 0; q < predicted.size(0); ++q) {
    meter.add(static_cast<std::size_t>(q), {predicted[q].data_ptr<float>(), n},
              {truth[q].data_ptr<float>(), n});
  }
  return meter.score();
}

}  // namespace tsmini::rivals
