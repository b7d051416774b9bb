// Training against the formulas: the same batch through the network and through the reference, in
// values, gradients and the first steps of Adam.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include "base/random.h"
#include "base/sampling.h"
#include "learn/feature_store.h"
#include "learn/optimiser.h"
#include "learn/reference_net.h"
#include "learn/small_batch.h"
#include "learn/variants.h"
#include "support/sanitized.h"

namespace tsmini {
namespace {

double reference_loss_of(const NetSettings& settings, const SmallBatch& batch,
                         const std::vector<Matrix>& features, const LossSettings& loss,
                         const Weights& weights) {
  const ReferenceResult result =
      reference_embeddings(settings, batch.frame, weights, features, true);
  return reference_loss(reference_distances(settings.metric, result.embeddings), batch.truth,
                        batch.largest, loss);
}

TEST(Golden, Features) {
  NetSettings settings;
  settings.fourier_octaves = 3;
  const SmallBatch batch = golden_batch();
  std::vector<std::size_t> indices(batch.trips.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const std::vector<int> ids(indices.begin(), indices.end());
  const learn::FeatureStore store(batch.dataset(), indices, batch.frame, settings);
  learn::Arena arena;
  const learn::Array<float> rows = store.batch(ids, arena).rows;
  Matrix got, expected;
  for (std::size_t r = 0; r < rows.rows; ++r)
    got.emplace_back(rows.row(r), rows.row(r) + rows.columns);
  for (const Matrix& trip : batch.features(settings))
    expected.insert(expected.end(), trip.begin(), trip.end());
  // Single precision; waves of the third octave see four times the rounding of x.
  EXPECT_LT(relative_error(got, expected), 2e-6);
}

void expect_forward(const NetSettings& settings, const LossSettings& loss = {}) {
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  learn::Net<double> net = net_for(settings, batch);
  disturb(net);
  const Weights weights = weights_of(net);
  const ReferenceResult expected =
      reference_embeddings(settings, batch.frame, weights, features, true);
  const auto learned = learn_from(net, features, batch, loss);
  EXPECT_LT(relative_error(learned.embeddings, expected.embeddings), 1e-9);
  const Matrix distances = reference_distances(settings.metric, expected.embeddings);
  EXPECT_LT(relative_error(learned.distances, distances), 1e-9);
  EXPECT_NEAR(learned.loss / reference_loss(distances, batch.truth, batch.largest, loss), 1, 1e-9);
  const Weights after = weights_of(net);
  for (const auto& [name, values] : expected.buffers)
    EXPECT_LT(relative_error({after.at(name)}, {values}), 1e-9) << name;

  // And with statistics that have moved.
  const ReferenceResult served =
      reference_embeddings(settings, batch.frame, after, features, false);
  EXPECT_LT(relative_error(embeddings_of(net, features), served.embeddings), 1e-9);
}

// How the reference's loss changes along a direction in one tensor.
struct Slope {
  std::string name;
  std::vector<std::size_t> entries;  // moved together, each by its sign
  std::vector<double> signs;
  double expected = 0, got = 0;
};

void expect_slopes(const NetSettings& settings, std::size_t most_entries, LossSettings loss = {}) {
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  learn::Net<double> net = net_for(settings, batch);
  disturb(net);
  const Weights weights = weights_of(net);
  loss.k = 4;  // of lists of 5, so that something is cut off
  learn_from(net, features, batch, loss);
  const learn::Parameters<double>& parameters = net.parameters();
  const Weights gradients =
      by_name<double>(parameters, parameters.gradient(), parameters.buffers());

  std::vector<Slope> slopes;
  Random random(1);
  for (const auto& [spec, offset] : parameters.entries()) {
    if (!spec.trained()) continue;
    const std::size_t size = spec.size();
    std::vector<std::size_t> chosen(size);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    draw_to_front(chosen, most_entries, random);
    for (std::size_t i = 0; i < std::min(most_entries, size); ++i)
      slopes.push_back({spec.name, {chosen[i]}, {1}, 0, 0});
    Slope all{spec.name, chosen, {}, 0, 0};  // and a random direction through all entries
    for (std::size_t i = 0; i < size; ++i)
      all.signs.push_back(random.normal() / std::sqrt(static_cast<double>(size)));
    slopes.push_back(std::move(all));
  }
  tbb::parallel_for(std::size_t{0}, slopes.size(), [&](std::size_t s) {
    Slope& slope = slopes[s];
    constexpr double step = 2e-6;
    const auto loss_at = [&](double moved) {
      Weights near = weights;
      for (std::size_t i = 0; i < slope.entries.size(); ++i)
        near[slope.name][slope.entries[i]] += moved * slope.signs[i];
      return reference_loss_of(settings, batch, features, loss, near);
    };
    slope.expected = (loss_at(step) - loss_at(-step)) / (2 * step);
    for (std::size_t i = 0; i < slope.entries.size(); ++i)
      slope.got += slope.signs[i] * gradients.at(slope.name)[slope.entries[i]];
  });
  for (const Slope& slope : slopes) {
    double largest = 0;
    for (const double value : gradients.at(slope.name))
      largest = std::max(largest, std::abs(value));
    constexpr double noise = 1e-8;
    EXPECT_GT(largest, 100 * noise) << slope.name << " moves nothing";
    EXPECT_NEAR(slope.got, slope.expected,
                noise + 1e-5 * std::max(std::abs(slope.expected), 0.1 * largest))
        << slope.name << " entry " << slope.entries[0] << " of " << slope.entries.size();
  }
}

TEST(Golden, ForwardOfTheReferenceModel) {
  expect_forward(without_dropout());
}

TEST(Golden, GradientOfEveryTensor) {
  expect_slopes(without_dropout(), sanitized ? 2 : 40);
}

// How far single precision takes what a pass gives, as a share of its largest number. On AVX-512,
// AVX2 and SSE4 the worst of the tests below is 1.2e-6.
constexpr double single_rounding = 3e-6;

TEST(Golden, SinglePrecision) {
  const NetSettings settings = without_dropout();
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  learn::Net<double> exact = net_for(settings, batch);
  learn::Net<float> single = net_for<float>(settings, batch);
  EXPECT_NEAR(
      learn_from(single, features, batch, {}).loss / learn_from(exact, features, batch, {}).loss, 1,
      single_rounding);
  const auto a = exact.parameters().gradient();
  const auto b = single.parameters().gradient();
  EXPECT_LT(relative_error({Vector(b.begin(), b.end())}, {Vector(a.begin(), a.end())}),
            single_rounding);
  EXPECT_LT(relative_error(embeddings_of(single, features), embeddings_of(exact, features)),
            single_rounding);
}

// Adam with coupled weight decay, as its authors write it.
class ReferenceAdam {
 public:
  ReferenceAdam(double rate, double decay) : rate_(rate), decay_(decay) {}

  void step(std::span<const double> gradient, std::span<double> weights) {
    first_.resize(gradient.size());
    second_.resize(gradient.size());
    ++steps_;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double g = gradient[i] + decay_ * weights[i];
      first_[i] = 0.9 * first_[i] + 0.1 * g;
      second_[i] = 0.999 * second_[i] + 0.001 * g * g;
      const double m = first_[i] / (1 - std::pow(0.9, steps_));
      const double v = second_[i] / (1 - std::pow(0.999, steps_));
      weights[i] -= rate_ * m / (std::sqrt(v) + 1e-8);
    }
  }

 private:
  double rate_, decay_;
  int steps_ = 0;
  Vector first_, second_;
};

// A moving average that begins with these numbers: at step t, from 1 on, the given share of it
// stays, or t / (10 + t) while that is less.
class ReferenceAverage {
 public:
  ReferenceAverage(double kept, std::span<const float> begin)
      : kept_(kept), values_(begin.begin(), begin.end()) {}

  void step(std::span<const float> newest) {
    ++steps_;
    const double t = steps_, kept = std::min(kept_, t / (10 + t));
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = kept * values_[i] + (1 - kept) * double{newest[i]};
  }
  const Vector& values() const { return values_; }

 private:
  double kept_;
  int steps_ = 0;
  Vector values_;
};

double difference(std::span<const float> actual, const Vector& expected) {
  return relative_error({Vector(actual.begin(), actual.end())}, {expected});
}

TEST(Golden, TenStepsOfAdam) {
  constexpr double rate = 0.002, decay = 1e-5;
  constexpr double average = 0.3;  // which the fifth step reaches
  constexpr double average_rounding = 2e-7;
  const NetSettings settings = without_dropout();
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  const LossSettings loss;
  learn::Net<double> exact = net_for(settings, batch);
  learn::Net<float> single = net_for<float>(settings, batch);
  ReferenceAdam adam(rate, decay);
  learn::Optimiser<float> optimiser(single.parameters(), decay);
  ReferenceAverage average_weights(average, single.parameters().weights());
  ReferenceAverage average_buffers(average, single.parameters().buffers());
  learn::Arena arena;
  learn::Tape<float> tape(arena, learn::Tape<float>::Purpose::embedding);
  double first = 0, last = 0;
  for (std::uint64_t step = 0; step < 10; ++step) {
    const double expected = reference_loss_of(settings, batch, features, loss, weights_of(exact));
    EXPECT_NEAR(learn_from(exact, features, batch, loss).loss / expected, 1, 1e-9) << step;
    adam.step(exact.parameters().gradient(), exact.parameters().weights());

    // The optimiser works in single precision, whose rounding Adam carries on: but for ten steps.
    const double loss_in_single = learn_from(single, features, batch, loss).loss;
    EXPECT_NEAR(loss_in_single / expected, 1, single_rounding) << step;
    const learn::StepRates rates = learn::rates_of(step, rate, average);
    optimiser.step(tape, single.parameters(), &rates, &loss_in_single);
    average_weights.step(single.parameters().weights());
    average_buffers.step(single.parameters().buffers());
    EXPECT_LT(difference(optimiser.average_weights(), average_weights.values()), average_rounding)
        << step;
    EXPECT_LT(difference(optimiser.average_buffers(), average_buffers.values()), average_rounding)
        << step;
    (step == 0 ? first : last) = expected;
  }
  EXPECT_LT(last, 0.9 * first);  // and it learns

  // Where nothing of it is kept, the average is the newest ones.
  const learn::StepRates rates = learn::rates_of(10, rate, 0);
  optimiser.step(tape, single.parameters(), &rates, &last);
  const auto newest = [](std::span<const float> all) { return Vector(all.begin(), all.end()); };
  const learn::Parameters<float>& parameters = single.parameters();
  EXPECT_LT(difference(optimiser.average_weights(), newest(parameters.weights())),
            average_rounding);
  EXPECT_LT(difference(optimiser.average_buffers(), newest(parameters.buffers())),
            average_rounding);
}

TEST(Variants, Forward) {
  for (const LearnedCase& one : judged_cases()) {
    SCOPED_TRACE(one.name);
    expect_forward(one.net, one.loss);
  }
}

// In double precision the losses are those of the formulas. In single precision, from the same
// weights, the distances are, and the loss is that of these distances: where two of them all but
// agree, their rounding decides which is the nearer, and the loss jumps. How Adam carries rounding
// on is seen above.
TEST(Variants, LossesOfTheFirstSteps) {
  constexpr double rate = 0.002, decay = 1e-5;
  constexpr int steps = sanitized ? 4 : 10;
  const SmallBatch batch = golden_batch();
  const LossSettings loss;
  for (const Variant& variant : learned_variants()) {
    const NetSettings& settings = variant.settings;
    const std::vector<Matrix> features = batch.features(settings);
    learn::Net<double> exact = net_for(settings, batch);
    learn::Net<float> single = net_for<float>(settings, batch);
    ReferenceAdam adam(rate, decay);
    for (int step = 0; step < steps; ++step) {
      SCOPED_TRACE(testing::Message() << variant.name << ", step " << step);
      const std::span<double> weights = exact.parameters().weights();
      std::ranges::transform(weights, single.parameters().weights().begin(),
                             [](double weight) { return static_cast<float>(weight); });
      const Matrix expected = reference_distances(
          settings.metric,
          reference_embeddings(settings, batch.frame, weights_of(exact), features, true)
              .embeddings);
      const auto loss_of = [&](const Matrix& distances) {
        return reference_loss(distances, batch.truth, batch.largest, loss);
      };
      const auto found = learn_from(single, features, batch, loss);
      EXPECT_LT(relative_error(found.distances, expected), single_rounding);
      EXPECT_NEAR(found.loss / loss_of(found.distances), 1, single_rounding);
      EXPECT_NEAR(learn_from(exact, features, batch, loss).loss / loss_of(expected), 1, 1e-9);
      adam.step(exact.parameters().gradient(), weights);
    }
  }
}

TEST(Variants, Gradients) {
  for (const LearnedCase& one : judged_cases()) {
    SCOPED_TRACE(one.name);
    expect_slopes(one.net, sanitized ? 1 : 3, one.loss);
  }
}

}  // namespace
}  // namespace tsmini
