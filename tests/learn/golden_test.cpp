// Training against the formulas: the same batch through the network and through the reference, in
// values, gradients and the first steps of Adam.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <torch/csrc/autograd/autograd.h>

#include "base/random.h"
#include "learn/feature_store.h"
#include "learn/optimiser.h"
#include "learn/reference_net.h"
#include "learn/small_batch.h"
#include "learn/variants.h"

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
  const learn::FeatureStore store(batch.dataset(), indices, batch.frame, settings, at::kCPU);
  const at::Tensor got = store.batch(ids).rows;
  Matrix expected;
  for (const Matrix& rows : batch.features(settings))
    expected.insert(expected.end(), rows.begin(), rows.end());
  ASSERT_EQ(got.size(0), static_cast<std::int64_t>(expected.size()));
  // Single precision; waves of the third octave see four times the rounding of x.
  EXPECT_LT(relative_error(matrix_of(got), expected), 2e-6);
}

void expect_forward(const NetSettings& settings) {
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  const learn::Net net = net_for(settings, batch);
  disturb(net);
  const learn::Packed points = pack(features);
  const LossSettings loss;
  for (const bool training : {true, false}) {  // the second time with statistics that have moved
    const Weights weights = weights_of(net);
    const ReferenceResult expected =
        reference_embeddings(settings, batch.frame, weights, features, training);
    const at::Tensor embeddings = net.embed(points, {training, {}});
    EXPECT_LT(relative_error(matrix_of(embeddings), expected.embeddings), 1e-9);
    const Weights after = weights_of(net);
    for (const auto& [name, values] : expected.buffers)
      EXPECT_LT(relative_error({after.at(name)}, {values}), 1e-9) << name;
    const Matrix distances = reference_distances(settings.metric, expected.embeddings);
    EXPECT_LT(
        relative_error(matrix_of(learn::pair_distances(embeddings, settings.metric)), distances),
        1e-9);
    const double expected_loss = reference_loss(distances, batch.truth, batch.largest, loss);
    const double got = learn::similarity_loss(learn::pair_distances(embeddings, settings.metric),
                                              tensor_of(batch.truth),
                                              at::full({1}, batch.largest, at::kDouble), loss)
                           .item<double>();
    EXPECT_NEAR(got / expected_loss, 1, 1e-9);
  }
}

// How the reference's loss changes along a direction in one tensor.
struct Slope {
  std::string name;
  std::vector<std::size_t> entries;  // moved together, each by its sign
  std::vector<double> signs;
  double expected = 0, got = 0;
};

void expect_slopes(const NetSettings& settings, std::size_t most_entries) {
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  const learn::Net net = net_for(settings, batch);
  disturb(net);
  const Weights weights = weights_of(net);
  LossSettings loss;
  loss.k = 4;  // of lists of 5, so that something is cut off
  const at::Tensor gradient =
      gradient_of(net, loss_of(net, pack(features), batch, loss, {true, {}}));
  const NamedBlocks blocks(net.parameters());
  const Weights by_name = blocks.read(gradient, net.parameters().buffers());

  std::vector<Slope> slopes;
  Random random(1);
  for (const auto& [name, place] : blocks.places()) {
    if (place.buffer) continue;
    std::vector<std::size_t> chosen(place.size);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    for (std::size_t i = 0; i < std::min(most_entries, place.size); ++i)
      std::swap(chosen[i], chosen[i + random.below(place.size - i)]);
    for (std::size_t i = 0; i < std::min(most_entries, place.size); ++i)
      slopes.push_back({name, {chosen[i]}, {1}, 0, 0});
    Slope all{name, chosen, {}, 0, 0};  // and a random direction through all entries
    for (std::size_t i = 0; i < place.size; ++i)
      all.signs.push_back(random.normal() / std::sqrt(static_cast<double>(place.size)));
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
      slope.got += slope.signs[i] * by_name.at(slope.name)[slope.entries[i]];
  });
  for (const Slope& slope : slopes) {
    double largest = 0;
    for (const double value : by_name.at(slope.name)) largest = std::max(largest, std::abs(value));
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
  expect_slopes(without_dropout(), 40);
}

TEST(Golden, SinglePrecision) {
  const NetSettings settings = without_dropout();
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  const learn::Net exact = net_for(settings, batch);
  const learn::Net single = net_for(settings, batch, at::kFloat);
  const LossSettings loss;
  const at::Tensor a = loss_of(exact, pack(features), batch, loss, {true, {}});
  const at::Tensor b = loss_of(single, pack(features, at::kFloat), batch, loss, {true, {}});
  EXPECT_LT(relative_error(b, a), 1e-4);
  EXPECT_LT(relative_error(gradient_of(single, b), gradient_of(exact, a)), 1e-4);
  EXPECT_LT(
      relative_error(single.embed(pack(features, at::kFloat), {}), exact.embed(pack(features), {})),
      1e-4);
}

// Adam with coupled weight decay, as its authors write it.
class ReferenceAdam {
 public:
  ReferenceAdam(double rate, double decay) : rate_(rate), decay_(decay) {}

  void step(const Vector& gradient, double* weights) {
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

TEST(Golden, TenStepsOfAdam) {
  constexpr double rate = 0.002, decay = 1e-5;
  const NetSettings settings = without_dropout();
  const SmallBatch batch = golden_batch();
  const std::vector<Matrix> features = batch.features(settings);
  const LossSettings loss;
  const learn::Net exact = net_for(settings, batch);
  const learn::Net single = net_for(settings, batch, at::kFloat);
  ReferenceAdam adam(rate, decay);
  learn::Optimiser optimiser(single.parameters(), decay, 0);
  double first = 0, last = 0;
  for (std::uint64_t step = 0; step < 10; ++step) {
    const double expected = reference_loss_of(settings, batch, features, loss, weights_of(exact));
    const at::Tensor in_double = loss_of(exact, pack(features), batch, loss, {true, {}});
    EXPECT_NEAR(in_double.item<double>() / expected, 1, 1e-9) << "step " << step;
    const at::Tensor gradient = gradient_of(exact, in_double);
    adam.step(matrix_of(gradient.unsqueeze(0))[0], exact.parameters().weights().data_ptr<double>());

    // The optimiser works in single precision, whose rounding Adam carries on.
    const at::Tensor in_single =
        loss_of(single, pack(features, at::kFloat), batch, loss, {true, {}});
    EXPECT_NEAR(in_single.item<double>() / expected, 1, 1e-4) << "step " << step;
    const learn::StepRates r = optimiser.rates(step, rate);
    optimiser.step(single.parameters(),
                   torch::autograd::grad({in_single}, single.parameters().trained()),
                   at::tensor({r.rate, r.first_correction, r.second_correction, r.average_keep}));
    (step == 0 ? first : last) = expected;
  }
  EXPECT_LT(last, 0.9 * first);  // and it learns
  EXPECT_TRUE(at::equal(optimiser.average_weights(), single.parameters().weights()));
}

TEST(Variants, Forward) {
  for (const Variant& variant : learned_variants()) {
    SCOPED_TRACE(variant.name);
    expect_forward(variant.settings);
  }
}

TEST(Variants, Gradients) {
  for (const Variant& variant : learned_variants()) {
    SCOPED_TRACE(variant.name);
    expect_slopes(variant.settings, 3);
  }
}

}  // namespace
}  // namespace tsmini
