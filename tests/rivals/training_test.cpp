#include "rivals/core/training.h"

#include <cmath>

#include <gtest/gtest.h>

#include "rivals/core/adam.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

// Against torch's own, with weight decay in one group.
TEST(RivalTraining, AdamIsTorchsAdam) {
  torch::manual_seed(1);
  const Tensor start = torch::randn({3, 4}), other = torch::randn({5}),
               target = torch::randn({3, 4});
  std::vector<Tensor> ours{start.clone().set_requires_grad(true),
                           other.clone().set_requires_grad(true)};
  std::vector<Tensor> theirs{start.clone().set_requires_grad(true),
                             other.clone().set_requires_grad(true)};
  Adam adam({{{ours[0]}, .1}, {{ours[1]}}});
  torch::optim::Adam first({theirs[0]}, torch::optim::AdamOptions(.01).weight_decay(.1));
  torch::optim::Adam second({theirs[1]}, torch::optim::AdamOptions(.01));
  const auto loss = [&](const std::vector<Tensor>& p) {
    return (p[0] - target).square().sum() * p[1].exp().mean();
  };
  for (int i = 0; i < 20; ++i) {
    adam.zero_gradients();
    loss(ours).backward();
    adam.step(.01);
    first.zero_grad();
    second.zero_grad();
    loss(theirs).backward();
    first.step();
    second.step();
  }
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_LT((ours[i] - theirs[i]).abs().max().item<double>(), 1e-5);
}

class OneNumber : public Rival {
 public:
  OneNumber() { value_ = register_parameter("value", torch::zeros({1})); }

  Streams prepare(const PlanarSet&) const override { return {}; }
  Tensor embed(const Streams&, std::span<const std::int64_t>) override { return value_; }
  EmbeddingMetric metric() const override { return {MetricKind::l1}; }

  Tensor value_;
};

TEST(RivalTraining, KeepsTheWeightsOfTheBestValidation) {
  OneNumber rival;
  const Stage stage{.steps = 100,
                    .groups = {{rival.parameters()}},
                    .loss = [&] { return -rival.value_.sum(); },
                    .rate = [](double) { return .1; }};
  // Best at about 3.
  const Validate validate = [&] {
    RetrievalScore score;
    score.hr10 = 1 - std::abs(rival.value_.item<double>() - 3) / 10;
    return score;
  };
  std::size_t told = 0;
  const TrainingResult result =
      train(rival, stage, {.validations = 20}, validate, [&](const TrainingEvent& event) {
        if (event.score != nullptr) ++told;
      });
  EXPECT_EQ(told, 20U);
  EXPECT_EQ(result.steps, 100U);
  EXPECT_FALSE(result.rising);
  EXPECT_NEAR(rival.value_.item<double>(), 3, .3);
  EXPECT_NEAR(result.best->hr10, 1, .03);
}

TEST(RivalTraining, EndsWithItsTime) {
  OneNumber rival;
  const Stage stage{.steps = std::uint64_t{1} << 40,
                    .groups = {{rival.parameters()}},
                    .loss = [&] { return rival.value_.sum(); },
                    .rate = [](double share) { return 1e-6 * (1 - share); }};
  const TrainingResult result = train(rival, stage, {.seconds = .2}, {}, {});
  EXPECT_GT(result.steps, 1U);
  EXPECT_LT(result.steps, std::uint64_t{1} << 30);
}

TEST(RivalTraining, ScoresAsOurMeterDoes) {
  const Tensor truth = torch::rand({30, 30});
  EXPECT_EQ(score_of(truth, truth).hr10, 1);
  EXPECT_LT(score_of(-truth, truth).hr10, .3);
  EXPECT_EQ(score_of(truth.narrow(0, 0, 4), truth).queries, 4U);
}

}  // namespace
}  // namespace tsmini::rivals
