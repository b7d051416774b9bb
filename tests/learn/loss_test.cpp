// The loss: by hand, against the reference, its gradient, and its corners.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/gradients.h"
#include "learn/ops/ops.h"
#include "learn/reference_net.h"
#include "learn/small_batch.h"

namespace tsmini {
namespace {

struct LossAndGradient {
  double loss;
  std::vector<double> gradient;

  double largest() const { return Numbers{1, gradient.size(), gradient}.largest(); }
  bool is_finite() const {
    return std::isfinite(loss) &&
           std::all_of(gradient.begin(), gradient.end(), [](double g) { return std::isfinite(g); });
  }
};

template <typename T>
LossAndGradient loss_in(const Matrix& predicted, const Matrix& truth, double largest,
                        const LossSettings& settings) {
  std::vector<T> guesses, labels;
  for (const Vector& row : predicted) guesses.insert(guesses.end(), row.begin(), row.end());
  for (const Vector& row : truth) labels.insert(labels.end(), row.begin(), row.end());
  learn::Arena arena;
  learn::Tape<T> tape(arena, learn::Tape<T>::Purpose::training);
  learn::Gradient<T> gradient;
  const learn::Array<T> array{guesses.data(), predicted.size(), predicted.size(), &gradient};
  double loss = 0;
  learn::similarity_loss(tape, array, labels.data(), largest, settings, &loss);
  return {loss, {gradient.data, gradient.data + array.size()}};
}

LossAndGradient loss_at(const Matrix& predicted, const Matrix& truth, double largest,
                        const LossSettings& settings) {
  return loss_in<double>(predicted, truth, largest, settings);
}

// Against central differences, at every pair.
void expect_loss_gradient(const Matrix& predicted, const Matrix& truth, double largest,
                          const LossSettings& settings) {
  constexpr double step = 1e-6;
  const LossAndGradient there = loss_at(predicted, truth, largest, settings);
  const std::size_t n = predicted.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Matrix above = predicted, below = predicted;
      above[i][j] += step;
      below[i][j] -= step;
      const double expected = (loss_at(above, truth, largest, settings).loss -
                               loss_at(below, truth, largest, settings).loss) /
                              (2 * step);
      ASSERT_NEAR(there.gradient[i * n + j], expected, 2e-7 * std::max(there.largest(), 1e-3))
          << i << ", " << j;
    }
  }
}

// Random distances in [low, high), zero on the diagonal.
Matrix random_square(std::size_t n, std::uint64_t seed, double low, double high) {
  Random random(seed);
  Matrix square(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) square[i][j] = square[j][i] = random.uniform(low, high);
  }
  return square;
}

// Four items, D_max = 8:
//
//   pair        01    02    03    12    13    23
//   D            2     4     6     4     8     4
//   t = D / 8  0.25  0.5   0.75  0.5    1    0.5    sum 3.5
//   p            1     1     1     2     1     1    sum 7, so the scale is 0.5
//   e = p/2-t  0.25   0   -0.25  0.5  -0.5    0
//   (1-t)e²  .046875  0  .015625 .125    0    0     sum 0.1875, mean 0.03125
//
// Ranking, with δ(1) = 0.3690702464 and δ(2) = 0.1309297536; log2(1 + e^-1) = 0.4519410831 and
// log2(1 + e) = 1.8946361240; 2^¼ = 1.1892071150, 2^½ = 1.4142135624, 2^¾ = 1.6817928305:
//
//   list 0: items 1, 2, 3 all predicted at 1, so in the order of their numbers; y = ½, ¼, 0;
//           maxDCG = (2^½-1)/1 + (2^¼-1)/1.5849625 = 0.5335899608
//           every log2 σ(0) is -1: δ(1)(2^½-2^¼) + δ(1)(2^¼-1) + δ(2)(2^½-1) = 0.2071067812
//           0.2071067812 / 0.5335899608 = 0.3881384516
//   list 1: items 0, 2, 3 at p = 1, 2, 1, so 0, 3, 2; y = ¾, ½, 0; maxDCG = 0.9431324913
//           0 before 3: δ(1)(2^¾-1)·1             = 0.2516294486
//           0 before 2: δ(2)(2^¾-2^½)·0.4519411   = 0.0158332...
//           2 behind 3: δ(1)(2^½-1)·1.8946361     = 0.2896404...
//           sum / 0.9431324913 = 0.5906945343
//   list 2: all t equal: 0
//   list 3: items 0, 1, 2 all at 1; y = ¼, 0, ½; maxDCG as of list 0
//           δ(1)(2^¼-1) + δ(2)(2^½-2^¼) + δ(1)(2^½-1) = 0.2521646... / maxDCG = 0.4725813365
const Matrix hand_truth = {{0, 2, 4, 6}, {2, 0, 4, 8}, {4, 4, 0, 4}, {6, 8, 4, 0}};
const Matrix hand_predicted = {{0, 1, 1, 1}, {1, 0, 2, 1}, {1, 2, 0, 1}, {1, 1, 1, 0}};
constexpr double hand_squared = 0.03125;
constexpr double hand_ranking = 0.3881384516 + 0.5906945343 + 0 + 0.4725813365;

TEST(Loss, ByHand) {
  LossSettings settings;
  const double expected = 0.2 * 100 * hand_squared + 0.8 * hand_ranking;
  EXPECT_NEAR(loss_at(hand_predicted, hand_truth, 8, settings).loss, expected, 1e-9);
  EXPECT_NEAR(loss_in<float>(hand_predicted, hand_truth, 8, settings).loss, expected, 1e-5);
  settings.lambda = 1;
  EXPECT_NEAR(loss_at(hand_predicted, hand_truth, 8, settings).loss, 100 * hand_squared, 1e-12);
  settings.lambda = 0;
  EXPECT_NEAR(loss_at(hand_predicted, hand_truth, 8, settings).loss, hand_ranking, 1e-9);
  settings.rank_mean = true;
  EXPECT_NEAR(loss_at(hand_predicted, hand_truth, 8, settings).loss, hand_ranking / 4, 1e-9);
}

TEST(Loss, ReferenceByHand) {
  EXPECT_NEAR(reference_loss(hand_predicted, hand_truth, 8, {}),
              0.2 * 100 * hand_squared + 0.8 * hand_ranking, 1e-9);
}

// Two predicted positions a list: only the pairs 1-2 of list 0, 0-3 of list 1, 0-1 of list 3.
TEST(Loss, TruncatedByHand) {
  LossSettings settings;
  settings.lambda = 0;
  settings.k = 2;
  const double near = 0.3690702464;
  const double expected = near * (1.4142135624 - 1.1892071150) / 0.5335899608 +
                          near * (1.6817928305 - 1) / 0.9431324913 +
                          near * (1.1892071150 - 1) / 0.5335899608;
  EXPECT_NEAR(loss_at(hand_predicted, hand_truth, 8, settings).loss, expected, 1e-9);
}

TEST(Loss, AgreesWithTheReferenceAndItsGradientWithDifferences) {
  const Matrix truth = random_square(9, 1, 50, 900), predicted = random_square(9, 2, 1, 6);
  for (const std::size_t k : {0U, 1U, 2U, 5U, 8U, 30U}) {
    for (const double slope : {1.0, 3.0}) {
      for (const double focus : {1.0, 0.0, 2.5}) {
        for (const bool mean : {false, true}) {
          for (const double lambda : {0.2, 0.0, 1.0}) {
            const LossSettings settings{lambda, k, slope, focus, mean};
            const double expected = reference_loss(predicted, truth, 900, settings);
            EXPECT_NEAR(loss_at(predicted, truth, 900, settings).loss, expected, 1e-12 * expected);
          }
          const LossSettings settings{0.2, k, slope, focus, mean};
          SCOPED_TRACE(testing::Message() << k << " " << slope << " " << focus << " " << mean);
          expect_loss_gradient(predicted, truth, 900, settings);
        }
      }
    }
  }
}

TEST(Loss, KBeyondTheListIsTheWholeList) {
  const Matrix truth = random_square(6, 1, 50, 900), predicted = random_square(6, 2, 1, 6);
  LossSettings settings;
  settings.k = 5;
  const LossAndGradient five = loss_at(predicted, truth, 900, settings);
  for (const std::size_t k : {0U, 6U, 1000U}) {
    settings.k = k;
    const LossAndGradient other = loss_at(predicted, truth, 900, settings);
    EXPECT_EQ(other.loss, five.loss);
    EXPECT_EQ(other.gradient, five.gradient);
  }
}

TEST(Loss, EqualLabelsRankNothing) {
  Matrix truth = random_square(5, 1, 400, 400);
  LossSettings settings;
  settings.lambda = 0;
  const Matrix predicted = random_square(5, 2, 1, 6);
  const LossAndGradient result = loss_at(predicted, truth, 900, settings);
  EXPECT_EQ(result.loss, 0);
  EXPECT_EQ(result.largest(), 0);
  truth.assign(5, Vector(5));  // nor do zeros, and the squared error is all there is
  const LossAndGradient zero = loss_at(predicted, truth, 900, {});
  EXPECT_EQ(zero.loss, 0);
  EXPECT_TRUE(zero.is_finite());
}

TEST(Loss, EqualPredictionsHaveFiniteGradients) {
  const Matrix truth = random_square(6, 1, 50, 900);
  for (const double p : {0.0, 2.0}) {
    const Matrix predicted = random_square(6, 2, p, p);
    EXPECT_TRUE(loss_in<double>(predicted, truth, 900, {}).is_finite()) << p;
    EXPECT_TRUE(loss_in<float>(predicted, truth, 900, {}).is_finite()) << p;
  }
}

// The list's order decides which pairs count; equal predictions keep the order of their numbers.
TEST(Loss, TiesFollowNumbers) {
  Matrix predicted = random_square(4, 2, 3, 3);
  const Matrix truth = random_square(4, 1, 50, 900);
  LossSettings settings;
  settings.k = 2;
  settings.lambda = 0;
  const double tied = loss_at(predicted, truth, 900, settings).loss;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) predicted[i][j] += 1e-9 * static_cast<double>(j);
  }
  EXPECT_NEAR(loss_at(predicted, truth, 900, settings).loss, tied, 1e-8);
}

// Distances far beyond the sigmoid's range, and truths beyond D_max, which a sample may miss.
TEST(Loss, FarOutOfRange) {
  const Matrix truth = random_square(6, 1, 50, 3000), predicted = random_square(6, 2, 1, 1e6);
  EXPECT_TRUE(loss_in<double>(predicted, truth, 900, {}).is_finite());
  EXPECT_TRUE(loss_in<float>(predicted, truth, 900, {}).is_finite());
}

// Gains of a trip that lies 500 times D_max away are 2^500.
TEST(Loss, OfATripFarBeyondTheSample) {
  const auto truth_with = [](double distance) {
    Matrix truth = random_square(9, 1, 50, 900);
    for (std::size_t j = 1; j < truth.size(); ++j)
      truth[0][j] = truth[j][0] = distance + static_cast<double>(j);
    return truth;
  };
  const Matrix predicted = random_square(9, 2, 1, 6);
  for (const std::size_t k : {0U, 5U}) {
    LossSettings settings;
    settings.k = k;
    const Matrix truth = truth_with(500 * 900);
    const double expected = reference_loss(predicted, truth, 900, settings);
    EXPECT_NEAR(loss_at(predicted, truth, 900, settings).loss, expected, 1e-12 * expected);
    EXPECT_TRUE(loss_at(predicted, truth_with(1e5 * 900), 900, settings).is_finite());
    EXPECT_TRUE(loss_in<float>(predicted, truth_with(1e5 * 900), 900, settings).is_finite());
  }
}

}  // namespace
}  // namespace tsmini
