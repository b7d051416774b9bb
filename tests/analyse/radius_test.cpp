#include "tsmini/radius.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/duplicates.h"

#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

TEST(Knee, IsWhereTheCurveBends) {
  EXPECT_EQ(knee_of(std::vector<double>{1, 2, 3, 4, 50, 100}), 4);
  EXPECT_EQ(knee_of({}), 0);
  EXPECT_EQ(knee_of(std::vector<double>{7}), 7);
  EXPECT_EQ(knee_of(std::vector<double>{7, 7, 7}), 7);
  EXPECT_EQ(knee_of(std::vector<double>{0, 0, 0, 9}), 0);
}

// Distances to the nearest as points in a plane have them, around `typical`.
std::vector<double> one_hump(std::size_t count, double typical, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> distances;
  for (std::size_t i = 0; i < count; ++i) {
    distances.push_back(typical * std::sqrt(random.exponential()));
  }
  return distances;
}

std::optional<double> valley_of_all(std::vector<double> distances) {
  std::sort(distances.begin(), distances.end());
  return valley_of(distances);
}

TEST(Valley, IsBetweenTwoHumps) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const std::size_t few : {100u, 200u, 1500u}) {
      auto distances = one_hump(2000 - few, 300, seed);
      const auto near = one_hump(few, 5, seed + 1000);
      distances.insert(distances.end(), near.begin(), near.end());
      const auto valley = valley_of_all(distances);
      ASSERT_TRUE(valley.has_value()) << few << " " << seed;
      EXPECT_GT(*valley, 8) << few << " " << seed;
      EXPECT_LT(*valley, 150) << few << " " << seed;
    }
  }
}

TEST(Valley, IsNotInOneHump) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    found += valley_of_all(one_hump(2000, 300, seed)).has_value() ? 1 : 0;
    found += valley_of_all(one_hump(50, 1, seed)).has_value() ? 1 : 0;
  }
  EXPECT_EQ(found, 0);
  EXPECT_FALSE(valley_of({}).has_value());
  EXPECT_FALSE(valley_of(std::vector<double>(500, 0)).has_value());
  EXPECT_FALSE(valley_of(std::vector<double>(500, 3)).has_value());
}

std::vector<Points> city_trips(std::size_t count, std::uint64_t seed) {
  DatasetBuilder builder;
  synthesize_city({.count = count, .seed = seed}, [&](const Trajectory& t) { builder.add(t); });
  const Dataset data = builder.finish();
  const PlanarSet planar(data, Space::fit(SpaceKind::ground, data));
  std::vector<Points> trips;
  for (std::size_t i = 0; i < planar.size(); ++i) {
    trips.emplace_back(planar[i].begin(), planar[i].end());
  }
  return trips;
}

// Two receivers in one taxi: the same trip with the noise of another.
TEST(DuplicateRadius, FindsPlantedNearDuplicates) {
  for (const double jitter : {0.5, 3.0}) {
    std::vector<Points> trips = city_trips(1500, 3);
    for (std::size_t i = 0; i < 150; ++i) trips.push_back(shaken(trips[i * 7], jitter, i));
    const NeighbourSearch search(set_of(trips), Measure::frechet);
    const DuplicateRadius found = duplicate_radius(search);
    ASSERT_TRUE(found.found) << jitter;
    EXPECT_GT(found.radius, 3 * jitter);
    EXPECT_LT(found.radius, 100);
    EXPECT_NEAR(found.share, 300.0 / 1650, 0.05);
    EXPECT_EQ(found.sample, 1650u);
    const DuplicateGroups duplicates = find_duplicates(search, {.radius = found.radius});
    EXPECT_GE(duplicates.dropped, 145u);
    EXPECT_LE(duplicates.dropped, 170u);
  }
}

TEST(DuplicateRadius, IsZeroWhereThereAreNone) {
  std::vector<Points> trips = city_trips(1500, 4);
  EXPECT_FALSE(duplicate_radius(NeighbourSearch(set_of(trips), Measure::frechet)).found);
  for (std::size_t i = 0; i < 200; ++i) trips.push_back(trips[i]);  // copies are no near-duplicates
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  const DuplicateRadius found = duplicate_radius(search);
  EXPECT_FALSE(found.found);
  EXPECT_EQ(found.radius, 0);
  EXPECT_EQ(find_duplicates(search, {.radius = found.radius}).dropped, 200u);
}

// Ships on a few lanes, and some on their own: what is near is the usual here, not a duplicate.
TEST(DuplicateRadius, IsZeroWhereMostAreAlike) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const double x = 1e5 * static_cast<double>(i % 12);
    trips.push_back(shaken({{x, 0}, {x, 5e4}, {x, 9e4}}, 300, i));
  }
  for (std::uint64_t i = 0; i < 60; ++i) {
    trips.push_back(shaken({{2e4 * static_cast<double>(i), 3e5}, {0, 8e5}}, 9000, 700 + i));
  }
  const DuplicateRadius found = duplicate_radius(NeighbourSearch(set_of(trips), Measure::frechet));
  EXPECT_FALSE(found.found);
  EXPECT_EQ(found.radius, 0);
}

// From all distances: of each distinct trip, that to the nearest other one.
DuplicateRadius naive_radius(const AllDistances& distances) {
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances.has(i) && distances.first_copy(i) == i) distinct.push_back(i);
  }
  if (distinct.size() < 2) return {};
  std::vector<double> nearest(distinct.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    for (const std::size_t j : distinct) {
      if (j != distinct[i]) nearest[i] = std::min(nearest[i], distances.at(distinct[i], j));
    }
  }
  std::sort(nearest.begin(), nearest.end());
  const auto share_within = [&](double radius) {
    const auto near = std::count_if(nearest.begin(), nearest.end(),
                                    [&](double distance) { return distance <= radius; });
    return static_cast<double>(near) / static_cast<double>(nearest.size());
  };
  const std::optional<double> valley = valley_of(nearest);
  const bool found = valley && share_within(*valley) <= 0.5;
  const double radius = found ? *valley : 0;
  return {
      .radius = radius, .found = found, .share = share_within(radius), .sample = nearest.size()};
}

class RadiusTest : public testing::TestWithParam<Measure> {};

TEST_P(RadiusTest, IsThatOfAllDistances) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const std::size_t k : {1u, 4u}) {
      std::vector<double> kth;
      for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<double> others;
        for (std::size_t j = 0; j < points.size(); ++j) {
          if (i != j) others.push_back(c.distances.at(i, j));
        }
        std::sort(others.begin(), others.end());
        if (others.size() >= k && std::isfinite(others[k - 1])) kth.push_back(others[k - 1]);
      }
      std::sort(kth.begin(), kth.end());
      const ClusterRadius found = cluster_radius(c.search, k);
      EXPECT_EQ(found.radius, knee_of(kth));
      EXPECT_EQ(found.sample, kth.size());
    }
    const DuplicateRadius found = duplicate_radius(c.search), expected = naive_radius(c.distances);
    EXPECT_EQ(found.radius, expected.radius);
    EXPECT_EQ(found.found, expected.found);
    EXPECT_EQ(found.share, expected.share);
    EXPECT_EQ(found.sample, expected.sample);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RadiusTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Radius, OfASampleIsTheSameOnOneThreadAndStops) {
  const NeighbourSearch search(set_of(varied_trips(400, 6)), Measure::frechet);
  const RadiusSample sample{.most = 100, .seed = 5};
  const ClusterRadius many = cluster_radius(search, 4, sample);
  EXPECT_EQ(many.sample, 100u);
  EXPECT_NE(many.radius, cluster_radius(search, 4, {.most = 100, .seed = 6}).radius);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(cluster_radius(search, 4, sample).radius, many.radius);
  const auto stop = [](const ProgressState&) { throw std::runtime_error("stop"); };
  EXPECT_THROW(cluster_radius(search, 4, sample, stop), std::runtime_error);
  EXPECT_THROW(duplicate_radius(search, sample, stop), std::runtime_error);
  expect_error(ErrorCode::usage, "neighbours of 0", "at least 1",
               [&] { cluster_radius(search, 0); });
}

}  // namespace
}  // namespace tsmini
