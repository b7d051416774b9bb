#include "base/random.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

// The streams are part of what users see: the same seed gives the same samples and cities for ever.
TEST(Random, GivesTheSameNumbersForEver) {
  Random a(1), b(1, 7), c(0);
  const std::array<std::uint64_t, 9> found{a.bits(), a.bits(), a.bits(), b.bits(), b.bits(),
                                           b.bits(), c.bits(), c.bits(), c.bits()};
  const std::array<std::uint64_t, 9> golden{
      3777882419325163568u,  7716964493799840330u,  7937410054970136411u,
      17542802707216877530u, 10537629083181535444u, 15180374645292297730u,
      12035550249420947055u, 12935080325729570654u, 7141179953334974231u};
  EXPECT_EQ(found, golden);
  Random d(42);
  EXPECT_EQ(d.uniform(), 0x1.8f6fa95111d79p-1);
  EXPECT_EQ(d.normal(), -0x1.8c0ecd1197dcdp-1);
  EXPECT_EQ(d.exponential(), 0x1.c0032953b9cf4p+0);
  EXPECT_EQ(d.below(1000), 612u);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  Random a(1, 0), b(1, 1), c(2, 0);
  const std::uint64_t x = a.bits(), y = b.bits(), z = c.bits();
  EXPECT_NE(x, y);
  EXPECT_NE(x, z);
  EXPECT_NE(y, z);
}

TEST(Random, BelowIsUniform) {
  for (const std::uint64_t n : {1u, 2u, 7u, 100u}) {
    Random random(3, n);
    std::vector<int> counts(n, 0);
    constexpr int draws = 200'000;
    for (int i = 0; i < draws; ++i) ++counts[random.below(n)];
    const double expected = static_cast<double>(draws) / static_cast<double>(n);
    double chi2 = 0;
    for (const int count : counts) chi2 += (count - expected) * (count - expected) / expected;
    const double freedom = static_cast<double>(n) - 1;
    EXPECT_LT(chi2, freedom + 5 * std::sqrt(2 * freedom) + 1) << n;
  }
}

TEST(Random, BelowCoversHugeRanges) {
  Random random(4);
  const std::uint64_t n = (std::uint64_t{1} << 63) + 1;
  int above = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x = random.below(n);
    ASSERT_LT(x, n);
    above += x > n / 2 ? 1 : 0;
  }
  EXPECT_NEAR(above, 500, 80);
}

TEST(Random, UniformHasTheRightMoments) {
  Random random(5);
  constexpr int draws = 1'000'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 0.5, 0.0015);
  EXPECT_NEAR(squares / draws, 1.0 / 3, 0.0015);
}

TEST(Random, NormalHasTheRightMoments) {
  Random random(6);
  constexpr int draws = 1'000'000;
  std::array<double, 5> moments{};
  for (int i = 0; i < draws; ++i) {
    const double x = random.normal();
    double power = 1;
    for (double& moment : moments) {
      moment += power / draws;
      power *= x;
    }
  }
  EXPECT_NEAR(moments[1], 0, 0.005);
  EXPECT_NEAR(moments[2], 1, 0.008);
  EXPECT_NEAR(moments[3], 0, 0.02);
  EXPECT_NEAR(moments[4], 3, 0.06);
}

TEST(Random, ExponentialHasTheRightMoments) {
  Random random(7);
  constexpr int draws = 500'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.exponential();
    ASSERT_GE(x, 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 1, 0.008);
  EXPECT_NEAR(squares / draws, 2, 0.05);
}

TEST(Random, LogarithmIsThatOfTheLibrary) {
  std::mt19937_64 source(8);
  std::uniform_real_distribution<double> exponent(-700, 700), around_one(0.5, 2);
  const auto check = [](double x) {
    const double wanted = std::log(x);
    // Relative, but for the neighbourhood of 1, where the logarithm vanishes.
    const double scale = std::max(std::abs(wanted), 1e-3);
    ASSERT_NEAR(Random::logarithm(x), wanted, 1e-15 * scale + 1e-18) << x;
  };
  for (int i = 0; i < 200'000; ++i) {
    check(std::exp(exponent(source)));
    check(around_one(source));
  }
  EXPECT_EQ(Random::logarithm(1), 0);
  check(std::numeric_limits<double>::min());
  check(std::numeric_limits<double>::denorm_min());
  check(std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace tsmini
