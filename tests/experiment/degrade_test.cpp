#include "experiment/degrade.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "geo/ground_distance.h"
#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini::experiment {
namespace {

// Rides eastwards, 100 m a point; every second one has times.
Dataset rides(const std::vector<std::size_t>& sizes) {
  std::vector<OwnedTrajectory> trips;
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    OwnedTrajectory trip{"ride " + std::to_string(t), {}, {}};
    for (std::size_t i = 0; i < sizes[t]; ++i) {
      trip.points.push_back({-8.6 + 0.0012 * static_cast<double>(i), 41.1});
      if (t % 2 == 1) trip.times.push_back(1000 + 15 * static_cast<std::int64_t>(i));
    }
    trips.push_back(trip);
  }
  return built(trips);
}

// About 50 km around the rides.
FeatureFrame wide_frame() {
  return FeatureFrame::fit(built({{"corners", {{-9, 40.8}, {-8, 41.4}}, {}}}));
}

std::vector<std::size_t> all(const Dataset& data) {
  std::vector<std::size_t> indices(data.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

std::vector<Position> points_of(const Trajectory& trip) {
  return {trip.points.begin(), trip.points.end()};
}

TEST(Degraded, NoDamageChangesNothing) {
  const Dataset data = rides({1, 2, 30});
  const Dataset same = degraded(data, all(data), {}, wide_frame(), 1);
  ASSERT_EQ(same.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(same[i].id, data[i].id);
    EXPECT_EQ(same.part(i), Part::test);
    EXPECT_EQ(points_of(same[i]), points_of(data[i]));
    EXPECT_EQ(same[i].times.size(), data[i].times.size());
  }
}

TEST(Degraded, OfNothing) {
  EXPECT_EQ(degraded(Dataset(), {}, {0.5, 10}, wide_frame(), 1).size(), 0u);
  EXPECT_EQ(degraded(rides({5}), {}, {0.5, 10}, wide_frame(), 1).size(), 0u);
  EXPECT_EQ(degraded(rides({0}), std::vector<std::size_t>{0}, {1, 10}, wide_frame(), 1)[0].size(),
            0u);
}

TEST(Degraded, LeavesPointsOutInOrder) {
  const Dataset data = rides({101, 101, 40});
  const Dataset less = degraded(data, all(data), {.masked = 0.3}, wide_frame(), 1);
  EXPECT_EQ(less[0].size(), 71u);
  EXPECT_EQ(less[1].size(), 71u);
  EXPECT_EQ(less[2].size(), 28u);
  EXPECT_FALSE(less[0].has_times());
  ASSERT_TRUE(less[1].has_times());
  const Trajectory whole = data[1];
  std::size_t at = 0;
  for (std::size_t i = 0; i < less[1].size(); ++i, ++at) {
    while (at < whole.size() && whole.times[at] != less[1].times[i]) ++at;
    ASSERT_LT(at, whole.size()) << "each time is one of the ride, and they rise";
    EXPECT_EQ(less[1].points[i], whole.points[at]) << "a point keeps its time";
  }
}

TEST(Degraded, LeavesOutAllPointsAlike) {
  const Dataset data = rides(std::vector<std::size_t>(4000, 10));
  const Dataset less = degraded(data, all(data), {.masked = 0.5}, wide_frame(), 1);
  std::vector<int> seen(10, 0);
  for (std::size_t t = 0; t < less.size(); ++t) {
    for (const Position& p : less[t].points)
      ++seen[static_cast<std::size_t>(std::round((p.lon + 8.6) / 0.0012))];
  }
  for (const int count : seen) EXPECT_NEAR(count, 2000, 160);  // five deviations
}

TEST(Degraded, LeavesTwoPointsAtLeast) {
  const Dataset data = rides({1, 2, 3, 50});
  const Dataset less = degraded(data, all(data), {.masked = 1}, wide_frame(), 1);
  EXPECT_EQ(less[0].size(), 1u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(less[i].size(), 2u);
}

TEST(Degraded, MovesEveryPointByThatMuch) {
  const Dataset data = rides({400});
  const Dataset moved = degraded(data, all(data), {.shifted = 75}, wide_frame(), 1);
  ASSERT_EQ(moved[0].size(), 400u);
  double east = 0, north = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const Position p = data[0].points[i], q = moved[0].points[i];
    EXPECT_NEAR(ground_distance(p, q), 75, 0.01);
    east += q.lon > p.lon;
    north += q.lat > p.lat;
  }
  EXPECT_NEAR(east / north, 1, 0.3);
}

TEST(Degraded, MovesPlanarPointsInTheirUnit) {
  OwnedTrajectory trip{"a", {{0, 0}, {10, 10}, {20, 0}}, {}};
  const Dataset data = built({trip}, {}, Coordinates::planar);
  const Dataset moved = degraded(data, all(data), {.shifted = 3}, FeatureFrame::fit(data), 1);
  EXPECT_EQ(moved.info().coordinates, Coordinates::planar);
  for (std::size_t i = 0; i < 3; ++i) {
    const Position p = trip.points[i], q = moved[0].points[i];
    EXPECT_NEAR(std::hypot(p.lon - q.lon, p.lat - q.lat), 3, 1e-9);
  }
}

TEST(Degraded, StaysWithinTheFrame) {
  const Dataset data = rides({200});
  const FeatureFrame frame = FeatureFrame::fit(rides({50}));  // ends a quarter of the way
  for (const double shifted : {0.0, 100.0, 5e3, 1e7, 1e300}) {
    const Dataset moved = degraded(data, all(data), {.shifted = shifted}, frame, 1);
    for (const Position& p : moved[0].points)
      ASSERT_TRUE(frame.contains(frame.space.project(p))) << shifted;
    moved.verify();
  }
}

TEST(Degraded, ATripDoesNotDependOnTheOthers) {
  const Dataset data = rides({60, 70, 80});
  const Damage damage{.masked = 0.4, .shifted = 20};
  const Dataset together = degraded(data, all(data), damage, wide_frame(), 9);
  const std::vector<std::size_t> backwards{2, 0};
  const Dataset others = degraded(data, backwards, damage, wide_frame(), 9);
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].id, "ride 2");
  EXPECT_EQ(points_of(others[0]), points_of(together[2]));
  EXPECT_EQ(points_of(others[1]), points_of(together[0]));
  const Dataset another = degraded(data, all(data), damage, wide_frame(), 10);
  EXPECT_NE(points_of(another[0]), points_of(together[0]));
}

TEST(Degraded, RefusesWhatIsNoDamage) {
  const Dataset data = rides({5});
  const auto refused = [&](const Damage& damage, const char* message) {
    expect_error(ErrorCode::usage, message, "give",
                 [&] { degraded(data, all(data), damage, wide_frame(), 1); });
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double masked : {-0.1, 1.1, infinity, std::nan("")})
    refused({.masked = masked}, "no share of points");
  for (const double shifted : {-1.0, infinity, std::nan("")})
    refused({.shifted = shifted}, "cannot move");
}

}  // namespace
}  // namespace tsmini::experiment
