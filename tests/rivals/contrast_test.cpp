#include "rivals/core/contrast.h"

#include <cmath>

#include <gtest/gtest.h>

#include "rivals/core/adam.h"
#include "rivals/core/rival.h"
#include "rivals/plain.h"

namespace tsmini::rivals {
namespace {

// The mean of a sequence, and a linear map.
class MeanEncoder : public Encoder {
 public:
  MeanEncoder() { linear_ = register_module("linear", torch::nn::Linear(2, dimension)); }
  Tensor encode(const Padded& batch) override { return linear_(mean_of(batch.values, batch.mask)); }

 private:
  torch::nn::Linear linear_{nullptr};
};

// Sequences of one random vector each.
Padded batch_of(std::int64_t count) {
  Ragged sequences(torch::randn({count, 2}),
                   std::vector<std::int64_t>(static_cast<std::size_t>(count), 1), torch::kCPU);
  return sequences.padded(all_ids(count));
}

struct Learner {
  std::shared_ptr<MeanEncoder> encoder, copy;
  Moco moco;
};

Learner make_learner(std::int64_t queue) {
  torch::manual_seed(3);
  const auto encoder = std::make_shared<MeanEncoder>(), copy = std::make_shared<MeanEncoder>();
  return {encoder, copy, Moco(encoder, copy, queue)};
}

TEST(Contrast, LossIsThatOfItsFormula) {
  torch::manual_seed(1);
  const Tensor queries = torch::randn({3, 5}), keys = torch::randn({3, 5});
  const Tensor others = torch::randn({4, 5});
  const plain::Rows q = plain::rows_of(queries), k = plain::rows_of(keys),
                    o = plain::rows_of(others);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double match = std::exp(plain::dot(q[i], k[i]) / .7);
    double sum = match;
    for (const plain::Row& other : o) sum += std::exp(plain::dot(q[i], other) / .7);
    expected -= std::log(match / sum) / 3;
  }
  EXPECT_NEAR(info_nce(queries, keys, others, .7).item<double>(), expected, 1e-5);
}

TEST(Contrast, TheCopyStartsTheSameAndFollowsSlowly) {
  Learner learner = make_learner(8);
  const Tensor original = learner.encoder->parameters().front();
  const Tensor copied = learner.copy->parameters().front();
  EXPECT_TRUE(torch::equal(original, copied));
  learner.moco.loss(batch_of(2), batch_of(2)).backward();
  EXPECT_GT(original.grad().abs().sum().item<double>(), 0);
  EXPECT_FALSE(copied.grad().defined());
  const Tensor before = copied.clone();
  {
    const torch::NoGradGuard no_grad;
    Tensor(original).add_(1);
  }
  learner.moco.stepped();
  EXPECT_TRUE(torch::allclose(copied, before + .001, 0, 1e-6));
}

TEST(Contrast, TheQueueIsARingOfKeys) {
  Learner learner = make_learner(5);
  EXPECT_TRUE(torch::allclose(learner.moco.queue().norm(2, 1), torch::ones({5})));
  const auto pushed = [&](std::int64_t count) {
    learner.moco.loss(batch_of(count), batch_of(count));
    const Tensor before = learner.moco.queue().clone();
    learner.moco.stepped();
    std::vector<bool> changed;
    for (std::int64_t i = 0; i < 5; ++i)
      changed.push_back(!torch::equal(before[i], learner.moco.queue()[i]));
    return changed;
  };
  EXPECT_EQ(pushed(3), (std::vector{true, true, true, false, false}));
  EXPECT_EQ(pushed(3), (std::vector{true, false, false, true, true}));
  EXPECT_EQ(pushed(2), (std::vector{false, true, true, false, false}));
  EXPECT_TRUE(torch::allclose(learner.moco.queue().norm(2, 1), torch::ones({5})));
}

TEST(Contrast, LearnsToTellApart) {
  Learner learner = make_learner(64);
  Adam adam({{learner.moco.parameters()}});
  double first = 0, last = 0;  // sums of 20 steps each, with a full queue
  for (int step = 0; step < 200; ++step) {
    const Padded views = batch_of(32);
    Padded others = views;
    others.values = views.values + .01 * torch::randn_like(views.values);
    adam.zero_gradients();
    const Tensor loss = learner.moco.loss(views, others);
    loss.backward();
    adam.step(.01);
    learner.moco.stepped();
    if (step >= 2 && step < 22) first += loss.item<double>();
    if (step >= 180) last += loss.item<double>();
  }
  EXPECT_LT(last, .7 * first) << first / 20;
}

}  // namespace
}  // namespace tsmini::rivals
