#include "tsmini/distance_map.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Knots = std::vector<DistancePair>;

TEST(DistanceMap, IsStraightBetweenKnots) {
  const DistanceMap map(Knots{{1, 100}, {3, 200}, {4, 600}});
  EXPECT_EQ(map(0), 0);
  EXPECT_EQ(map(0.5), 50);
  EXPECT_EQ(map(1), 100);
  EXPECT_EQ(map(2), 150);
  EXPECT_EQ(map(3.5), 400);
  EXPECT_EQ(map(4), 600);
  EXPECT_EQ(map(8), 1200) << "in the proportion of the last";
}

TEST(DistanceMap, RefusesKnotsThatDoNotRise) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Knots> refused{
      {{0, 1}},         {{1, 0}},         {{-1, 1}},           {{1, 1}, {1, 2}},
      {{1, 1}, {2, 1}}, {{1, 2}, {2, 1}}, {{1, std::nan("")}}, {{infinity, 1}},
      {{1, infinity}}};
  for (const Knots& knots : refused) {
    expect_error(ErrorCode::bad_input, "do not rise at", "", [&] { DistanceMap{knots}; });
  }
}

TEST(DistanceMap, OfNothingIsEmpty) {
  EXPECT_TRUE(DistanceMap::fit({}).empty());
  EXPECT_TRUE(DistanceMap::fit({{0, 1}, {1, 0}, {std::nan(""), 1}}).empty());
}

// Fewer than a hundred pairs are one bin: the median of the ratios, at the pair in the middle.
TEST(DistanceMap, FewPairsGiveOneRatio) {
  const DistanceMap map = DistanceMap::fit({{1, 5}, {2, 8}, {4, 1000}});
  ASSERT_EQ(map.knots().size(), 1u);
  EXPECT_EQ(map.knots()[0], (DistancePair{2, 10}));
  EXPECT_EQ(map(3), 15);
}

TEST(DistanceMap, FollowsWhatBends) {
  Random random(1);
  Knots pairs;
  for (int i = 0; i < 5000; ++i) {
    const double embedded = random.uniform(0.5, 10);
    const double noise = random.chance(0.1) ? 20 : random.uniform(0.8, 1.25);
    pairs.push_back({embedded, 100 * std::sqrt(embedded) * noise});
  }
  const DistanceMap map = DistanceMap::fit(pairs);
  EXPECT_LE(map.knots().size(), 24u);
  EXPECT_GE(map.knots().size(), 15u) << "noise may join some";
  for (double e = 1; e < 9.5; e += 0.1) {
    EXPECT_NEAR(map(e), 100 * std::sqrt(e), 10 * std::sqrt(e)) << e;
  }
}

// Farther by embedding, nearer in truth: what was nearer stays nearer all the same.
TEST(DistanceMap, RisesWhateverThePairs) {
  Random random(2);
  Knots falling, noise;
  for (int i = 0; i < 2000; ++i) {
    const double embedded = 1 + i % 700;
    falling.push_back({embedded, 1000 - embedded});
    noise.push_back({embedded, random.uniform(1, 2)});
  }
  for (const Knots& pairs : {falling, noise}) {
    const DistanceMap map = DistanceMap::fit(pairs);
    EXPECT_FALSE(map.empty());
    double before = 0;
    for (double e = 0.25; e < 1000; e += 0.25) {
      EXPECT_GT(map(e), before) << e;
      before = map(e);
    }
  }
}

}  // namespace
}  // namespace tsmini
