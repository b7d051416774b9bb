#include "rivals/core/training.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "rivals/core/adam.h"
#include "rivals/core/timer.h"

namespace tsmini::rivals {
namespace {

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
  const Timer timer;
  Adam adam(stage.groups);
  Snapshot best;
  TrainingResult result;
  result.recipe_steps = std::max<std::uint64_t>(1, stage.steps);
  const std::uint64_t steps = std::max<std::uint64_t>(1, budget.steps.value_or(stage.steps));
  MeanLoss mean;
  bool improved = false;
  // The share of the budget that is spent.
  const auto spent = [&] {
    const double done = static_cast<double>(result.steps) / static_cast<double>(steps);
    return budget.seconds ? std::max(done, timer.seconds() / *budget.seconds) : done;
  };
  // Looks how training stands since the last time. False where it went astray.
  const auto look = [&] {
    result.loss = mean.take();
    if (!std::isfinite(result.loss)) return false;
    if (!validate) return true;
    rival.eval();
    const RetrievalScore score = validate();
    rival.train();
    const double before = result.best ? result.best->hr10 : -1;
    improved = result.best && score.hr10 > before + .001;
    if (score.hr10 > before) {
      result.best = score;
      best.take(rival);
    }
    if (watch) watch({result.steps, steps, timer.seconds(), result.loss, &score});
    return true;
  };
  const auto looks = static_cast<double>(std::max<std::uint64_t>(1, budget.validations));
  double share = 0, looked = 0;
  bool sound = true;
  rival.train();
  do {
    if (watch && result.steps % 8 == 0) watch({result.steps, steps, timer.seconds(), 0, nullptr});
    adam.zero_gradients();
    const Tensor loss = stage.loss();
    loss.backward();
    adam.step(stage.rate(share));
    if (stage.stepped) stage.stepped();
    mean.add(loss.detach());
    ++result.steps;
    share = spent();
    if (share < 1 && share < looked + 1 / looks) continue;
    looked = std::floor(share * looks) / looks;
    sound = look();
  } while (share < 1 && sound);
  if (!sound && !result.best)
    throw Error(ErrorCode::failure,
                fmt::format("the loss is not finite after {} steps", result.steps),
                "try another seed");
  result.rising = improved && sound && result.steps < steps;
  if (result.best) best.give_back(rival);
  rival.eval();
  result.seconds = timer.seconds();
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
