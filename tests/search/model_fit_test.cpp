#include "search/model_fit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

Space ground(double lon, double lat) {
  return Space::from_json(R"({"kind":"ground","lon":)" + std::to_string(lon) + R"(,"lat":)" +
                          std::to_string(lat) + "}");
}

Space zscore(double mean) {
  return Space::from_json(R"({"kind":"zscore","coordinates":"degrees","mean_x":)" +
                          std::to_string(mean) +
                          R"(,"mean_y":0,"deviation_x":1000,"deviation_y":1000})");
}

Model model_in(const Space& space) {
  Model model;
  model.space = space;
  return model;
}

// By how much distances of places all over the box differ between two spaces.
double difference(const Space& a, const Space& b, const Box& box) {
  constexpr int steps = 9;
  std::vector<Position> places;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      places.push_back({box.min_lon + (box.max_lon - box.min_lon) * i / steps,
                        box.min_lat + (box.max_lat - box.min_lat) * j / steps});
    }
  }
  double worst = 0;
  const auto apart = [](const Space& space, const Position& p, const Position& q) {
    const Planar s = space.project(p), t = space.project(q);
    return std::hypot(s.x - t.x, s.y - t.y);
  };
  for (const Position& p : places) {
    for (const Position& q : places) {
      if (p == q) continue;
      worst = std::max(worst, std::abs(apart(a, p, q) / apart(b, p, q) - 1));
    }
  }
  return worst;
}

TEST(ModelFit, GroundWithAnotherCentre) {
  std::size_t fits = 0, refused = 0;
  const Space space = ground(9, 45);
  for (const double size : {0.2, 1.0, 3.0}) {
    const Box box{9 - size, 45 - size / 2, 9 + size, 45 + size / 2};
    for (const double shift : {0.05, 0.3, 1.0, 2.0, 3.0, 5.0}) {
      for (const double north : {0.0, -3.0, 8.0}) {
        const Model model = model_in(ground(9 + shift, 45 + north));
        try {
          check_fit(model, space, box);
          ++fits;
          EXPECT_LT(difference(model.space, space, box), 0.001) << size << ' ' << shift;
        } catch (const Error& error) {
          ++refused;
          EXPECT_TRUE(matches(error.what(), "centred elsewhere: lengths differ")) << error.what();
          EXPECT_TRUE(matches(error.hint(), "`space=ground`"));
          // Not without need.
          EXPECT_GT(difference(model.space, space, box), 0.0002) << size << ' ' << shift;
        }
      }
    }
  }
  EXPECT_GT(fits, 10u);
  EXPECT_GT(refused, 10u);
}

// What lies to the west of the box, or south of it, is not what counts.
TEST(ModelFit, LooksWhereTheTripsAre) {
  const Space space = ground(9, 45), west = ground(6.57, 45);
  const Box east{9, 45, 11.43, 45.1}, mirrored{6.57, 44.9, 9, 45};
  ASSERT_GT(difference(west, space, east), 0.001);
  expect_error(ErrorCode::bad_input, "centred elsewhere", "",
               [&] { check_fit(model_in(west), space, east); });
  ASSERT_LT(difference(west, space, mirrored), 0.0006);
  check_fit(model_in(west), space, mirrored);
}

TEST(ModelFit, OtherKinds) {
  const Box box{8, 44, 10, 46};
  check_fit(model_in(Space()), Space(), box);
  check_fit(model_in(zscore(3)), zscore(3), box);
  expect_error(ErrorCode::bad_input, "different mean and deviation", "trained on",
               [&] { check_fit(model_in(zscore(3)), zscore(4), box); });
  expect_error(ErrorCode::bad_input, "'zscore' \\(degrees\\), the trips are in 'ground'",
               "`space=ground`", [&] { check_fit(model_in(zscore(3)), ground(9, 45), box); });
  expect_error(ErrorCode::bad_input, "'planar' \\(planar\\)", "`space=ground`",
               [&] { check_fit(model_in(Space()), ground(9, 45), box); });
  // Too far north and south of each other to be compared.
  expect_error(ErrorCode::bad_input, "centred elsewhere", "",
               [&] { check_fit(model_in(ground(9, -45)), ground(9, 45), box); });
}

}  // namespace
}  // namespace tsmini
