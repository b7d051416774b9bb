#include "learn/augmentation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "support/datasets.h"

namespace tsmini::learn {
namespace {

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

using Step = std::pair<std::pair<double, double>, std::pair<double, double>>;
Step step_of(const Position& a, const Position& b) {
  return {{a.lon, a.lat}, {b.lon, b.lat}};
}

// 200 trips on one street, each of its own stretch of it and direction.
Dataset street() {
  std::vector<OwnedTrajectory> trips;
  for (int t = 0; t < 200; ++t) {
    OwnedTrajectory trip{"trip " + std::to_string(t), {}, {}};
    for (int i = 0; i < 10 + t % 7; ++i)
      trip.points.push_back({-8.6 + 0.001 * (t % 13 + i), 41.1 + 1e-6 * t});
    if (t % 2 == 1) std::reverse(trip.points.begin(), trip.points.end());
    trips.push_back(trip);
  }
  return built(trips);
}

TEST(Augmentation, EnoughRealTripsStayAlone) {
  const Dataset data = street();
  const Augmented augmented = augment(data, first(150), {150}, 1);
  EXPECT_EQ(augmented.indices, first(150));
  EXPECT_EQ(augmented.data.points().data(), data.points().data());  // not copied
}

TEST(Augmentation, RealTripsComeFirst) {
  const Dataset data = street();
  const std::vector<std::size_t> some = {3, 7, 8, 100};
  const Augmented augmented = augment(data, some, {50}, 1);
  ASSERT_EQ(augmented.indices, first(50));
  ASSERT_EQ(augmented.data.size(), 50U);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto expected = data[some[i]].points, got = augmented.data[i].points;
    EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
  }
}

// Every step is one of a real trip, forwards or backwards, but for at most one between two trips
// that go the same way past the same place.
TEST(Augmentation, ComposedTripsAreMadeOfRealSteps) {
  const Dataset data = street();
  std::set<Step> real;
  for (std::size_t t = 0; t < data.size(); ++t) {
    const auto points = data[t].points;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      real.insert(step_of(points[i], points[i + 1]));
      real.insert(step_of(points[i + 1], points[i]));
    }
  }
  const Augmented augmented = augment(data, first(data.size()), {2000}, 5);
  std::size_t spliced = 0;
  for (std::size_t t = data.size(); t < augmented.data.size(); ++t) {
    const auto points = augmented.data[t].points;
    EXPECT_GE(points.size(), 10U);
    EXPECT_LE(points.size(), 16U);
    std::size_t joins = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      if (real.contains(step_of(points[i], points[i + 1]))) continue;
      ++joins;
      EXPECT_LT(std::abs(points[i + 1].lon - points[i].lon), 0.0031);
      // Eastwards or westwards as a whole.
      EXPECT_GT((points[i + 1].lon - points[i].lon) * (points.back().lon - points.front().lon),
                -1e-9);
    }
    EXPECT_LE(joins, 1U);
    spliced += joins;
  }
  EXPECT_GT(spliced, 500U);
}

TEST(Augmentation, TellsEach64thTripAndBeforeItComposes) {
  std::vector<std::size_t> told;
  augment(street(), first(100), {200}, 1, [&](const ProgressState& state) {
    EXPECT_EQ(state.total, 200U);
    told.push_back(state.done);
  });
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 64, 100, 100, 100, 100, 128, 192}));
}

TEST(Augmentation, StopsAtSoManyPoints) {
  const Dataset data = street();
  AugmentationPlan plan{400};
  const Augmented whole = augment(data, first(data.size()), plan, 1);
  plan.most_points = data.point_count() + 200;
  const Augmented some = augment(data, first(data.size()), plan, 1);
  EXPECT_GE(some.data.point_count(), plan.most_points);
  EXPECT_LT(some.data.point_count(), plan.most_points + 16);
  EXPECT_EQ(some.indices, first(some.data.size()));
  const auto all = whole.data.points(), fewer = some.data.points();
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), all.begin())) << "the same but for the end";
  plan.most_points = data.point_count();
  EXPECT_EQ(augment(data, first(data.size()), plan, 1).data.points().data(), data.points().data());
}

TEST(Augmentation, TheSeedDecides) {
  const Dataset data = street();
  const auto points_of = [&](std::uint64_t seed) {
    const Augmented augmented = augment(data, first(data.size()), {400}, seed);
    return std::vector<Position>(augmented.data.points().begin(), augmented.data.points().end());
  };
  EXPECT_EQ(points_of(1), points_of(1));
  EXPECT_NE(points_of(1), points_of(2));
}

TEST(Augmentation, RoughTripsLackPointsOrMisplaceThem) {
  const Dataset data = street();
  std::set<std::pair<double, double>> real;
  for (const Position& p : data.points()) real.insert({p.lon, p.lat});
  const Box& box = data.info().extent;
  const Augmented augmented = augment(data, first(data.size()), {2000, 0.5}, 5);
  std::size_t fewer = 0, moved = 0;
  for (std::size_t t = data.size(); t < augmented.data.size(); ++t) {
    const auto points = augmented.data[t].points;
    EXPECT_GE(points.size(), 2U);
    EXPECT_LE(points.size(), 16U);
    if (points.size() < 10) ++fewer;
    if (!real.contains({points[0].lon, points[0].lat})) ++moved;
    for (const Position& p : points) {
      EXPECT_TRUE(p.lon >= box.min_lon && p.lon <= box.max_lon);
      EXPECT_TRUE(p.lat >= box.min_lat && p.lat <= box.max_lat);
    }
  }
  EXPECT_NEAR(static_cast<double>(moved) / 1800, 0.5 * 2 / 3, 0.08);
  EXPECT_GT(fewer, 300U);
}

TEST(Augmentation, TripsOfOnePointAndStandingOnes) {
  const Dataset data = built({{"one", {{1, 2}}, {}},
                              {"two", {{1, 2}, {1, 2}}, {}},
                              {"standing", {{1, 2}, {1, 2}, {1, 2}, {1, 2}}, {}}});
  EXPECT_EQ(augment(data, first(3), {100}, 1).data.size(), 100U);
  EXPECT_EQ(augment(data, {0}, {10}, 1).data.size(), 10U);
  EXPECT_EQ(augment(data, first(3), {100, 1}, 1).data.size(), 100U);
  EXPECT_TRUE(augment(data, {}, {10}, 1).indices.empty());
}

}  // namespace
}  // namespace tsmini::learn
