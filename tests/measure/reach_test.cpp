#include "tsmini/reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/planar_set.h"

#include "geo/wgs84.h"
#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

// Short ways along a parallel, one a place.
Dataset trips_at(const std::vector<Position>& places) {
  std::vector<OwnedTrajectory> trips;
  for (const Position& p : places) {
    trips.push_back({"at " + std::to_string(trips.size()), {p, {p.lon, p.lat + 1e-3}}, {}});
  }
  return built(trips);
}

std::vector<std::size_t> all_of(const Dataset& data) {
  std::vector<std::size_t> indices(data.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

FarthestPlace farthest(const Space& space, const Dataset& data) {
  return farthest_place(space, data, all_of(data));
}

Space ground_at(const Position& p) {
  return Space::fit(SpaceKind::ground, built({{"a", {p}, {}}}));
}

// By how much a step of about a metre north is longer in the space than on the ground.
double measured_error(const Space& space, const Position& p) {
  constexpr double step = 1e-5;
  const Planar a = space.project({p.lon, p.lat - step / 2});
  const Planar b = space.project({p.lon, p.lat + step / 2});
  return std::hypot(b.x - a.x, b.y - a.y) / (step * degree_length_at(p.lat).lat) - 1;
}

TEST(Reach, ErrorIsThatOfTheProjection) {
  for (const double lat : {-70.0, -33.0, 0.0, 41.0, 66.0}) {
    const Space space = ground_at({20, lat});
    for (const double lon : {20.0, 21.0, 23.0, 28.0, 32.0, 45.0}) {
      const double truth = measured_error(space, {lon, lat});
      EXPECT_NEAR(scale_error(space, space.project({lon, lat})), truth, 0.01 * truth + 1e-6)
          << lon << ' ' << lat;
    }
  }
}

TEST(Reach, EndsWhereOnePercentDoes) {
  const Space space = ground_at({0, 0});
  EXPECT_NEAR(scale_error(space, {284'850, 0}), noticeable_error, 1e-6);
  EXPECT_NEAR(scale_error(space, {-900'200, 0}), tolerated_error, 1e-5);
  for (const double x : {-2e6, -900'300.0, -900'100.0, 0.0, 900'100.0, 900'300.0, 8e6}) {
    for (const double y : {-9e6, -4.9e6, 0.0, 4.9e6, 5.1e6}) {
      EXPECT_EQ(reaches(space, {x, y}), scale_error(space, {x, y}) <= tolerated_error) << x << y;
    }
  }
  const Space mercator = Space::from_json(R"({"kind":"mercator"})");
  EXPECT_EQ(scale_error(mercator, {1e7, 1e7}), 0);
  EXPECT_TRUE(reaches(mercator, {1e7, 1e7}));
}

TEST(Reach, WhatIsSurelyReachedIs) {
  for (const double lat : {-88.9, -45.0, 0.0, 30.0, 60.0, 85.0}) {
    const Space space = ground_at({10, lat});
    for (double x = -7.9; x <= 8; x += 0.25) {
      for (double y = std::max(-90.0, lat - 30.9); y <= std::min(90.0, lat + 31); y += 0.25) {
        const Position p{10 + x, y};
        const bool surely = surely_reaches(space, std::span(&p, 1));
        EXPECT_EQ(surely, std::abs(x) <= 7 && std::abs(y - lat) <= 30) << p.lon << ' ' << p.lat;
        EXPECT_TRUE(!surely || reaches(space, space.project(p))) << p.lon << ' ' << p.lat;
      }
    }
  }
  const std::vector<Position> none{{std::nan(""), 45}}, two{{10, 45}, {20, 45}};
  EXPECT_FALSE(surely_reaches(ground_at({10, 45}), none));
  EXPECT_FALSE(surely_reaches(ground_at({10, 45}), two));
  EXPECT_FALSE(surely_reaches(Space(), two));
}

TEST(Reach, ACityIsOfNoConcern) {
  const Dataset data = trips_at({{-8.6, 41.1}, {-8.5, 41.2}, {-8.7, 41.0}});
  EXPECT_EQ(farthest(Space::fit(SpaceKind::ground, data), data).error, 0);
}

TEST(Reach, NamesTheFarthestOfThoseAskedFor) {
  const Dataset data = trips_at({{0, 0}, {4, 0}, {-6, 0}, {20, 0}});
  const Space space = ground_at({0, 0});
  const std::vector<std::size_t> some{0, 1, 2};
  const FarthestPlace place = farthest_place(space, data, some);
  EXPECT_EQ(place.trajectory, 2u);
  EXPECT_EQ(place.position, (Position{-6, 0}));
  EXPECT_NEAR(place.error, 0.0055, 2e-4);
  EXPECT_EQ(farthest(space, data).trajectory, 3u);
}

// A box may be wider than anything in it.
TEST(Reach, OfTheExtentIsNoLessThanThatOfThePoints) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> lon(-170, 170), lat(-85, 85), width(0, 8);
  for (int i = 0; i < 2000; ++i) {
    const Position centre{lon(random), lat(random)};
    const double w = width(random), h = width(random);
    std::vector<Position> places;
    for (int k = 0; k < 5; ++k) {
      places.push_back({centre.lon + w * std::sin(k * 1.3), centre.lat * std::cos(h * k / 60)});
    }
    const Dataset data = trips_at(places);
    const Space space = ground_at(centre);
    double worst = 0;
    for (const Position& p : data.points()) {
      worst = std::max(worst, scale_error(space, space.project(p)));
    }
    const double found = farthest(space, data).error;
    EXPECT_TRUE(found == worst || (found == 0 && worst <= noticeable_error)) << found << worst;
  }
}

TEST(Reach, CompactDataAcrossTheAntimeridianAndAtThePoles) {
  const Dataset fiji = trips_at({{179.5, -17}, {-179.5, -17.2}, {180, -16.9}, {-180, -17}});
  EXPECT_LT(farthest(Space::fit(SpaceKind::ground, fiji), fiji).error, noticeable_error);
  const Dataset pole =
      trips_at({{0, 89.5}, {90, 89.5}, {180, 89.5}, {-90, 89.5}, {45, 89.8}, {-135, 89.9}});
  const Space space = Space::fit(SpaceKind::ground, pole);
  EXPECT_LT(farthest(space, pole).error, noticeable_error);
  const PlanarSet set(pole, space);
  EXPECT_NEAR(std::hypot(set[0][0].x - set[2][0].x, set[0][0].y - set[2][0].y), 111'694, 20);
}

TEST(Reach, ThePlaneRefusesWhatLiesBeyond) {
  const Dataset wide = trips_at({{-104.99, 39.74}, {-118.24, 34.05}, {-87.63, 41.88}});
  const Space space = Space::fit(SpaceKind::ground, wide);
  expect_error(ErrorCode::bad_input,
               "too far out .*longitudes -118.24 to -87.63, latitudes 34.05 to 41.881; trajectory "
               "'at 1' at -118.24, 34.05 is 1,4.. km from the central meridian of the space "
               "'ground' .longitude -102.935., where lengths are 2.* % too long",
               "`bbox=-106.0,34.0,-99.8,41.9`; or choose another space",
               [&] { PlanarSet(wide, space); });
  const std::vector<std::size_t> denver{0};
  EXPECT_EQ(PlanarSet(wide, ground_at({-104.99, 39.74}), denver).size(), 1u);
  EXPECT_EQ(PlanarSet(wide, Space::fit(SpaceKind::mercator, wide)).size(), 3u);
}

TEST(Reach, TheFarSideOfTheEarthIsNotNear) {
  const Dataset data = trips_at({{0, 10}, {180, -60}});
  expect_error(ErrorCode::bad_input, "180 degrees of longitude from the origin", "`bbox", [&] {
    PlanarSet(data, ground_at({0, 10}));
  });
}

}  // namespace
}  // namespace tsmini
