// Exact search at any scale: where single precision has no room, everything is computed in double.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/exact_search.h"
#include "tsmini/matrix.h"

#include "measure/allowed_error.h"
#include "measure/bounds.h"
#include "measure/brute_force.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

Points scaled(Points points, double scale) {
  for (Planar& p : points) p = {p.x * scale, p.y * scale};
  return points;
}

std::vector<Points> scaled(std::vector<Points> all, double scale) {
  for (Points& points : all) points = scaled(points, scale);
  return all;
}

class ScaleTest : public testing::TestWithParam<Measure> {
 protected:
  static MeasureSettings settings_at(double scale) {
    MeasureSettings settings = settings_for(GetParam());
    settings.epsilon *= scale;
    settings.gap = {settings.gap.x * scale, settings.gap.y * scale};
    return settings;
  }

  // As computing everything answers; and what that says is true.
  static void expect_right(const std::vector<Points>& trips, const Points& query, double scale) {
    const MeasureSettings settings = settings_at(scale);
    const PlanarSet base = set_of(trips);
    const ExactSearch search(GetParam(), base, settings);
    const PairEngine engine(GetParam(), base, settings, Precision::double_precision);
    const auto nearest = search.nearest(query, 7);
    EXPECT_EQ(nearest, brute_force(engine, query, 7, everywhere)) << scale;
    ASSERT_EQ(nearest.size(), 7u);
    const double radius = nearest.back().distance;
    EXPECT_EQ(search.within(query, radius), brute_force(engine, query, trips.size(), radius))
        << scale;
    const double extent =
        std::max(largest_coordinate(base), largest_coordinate(query, base.origin()));
    for (const Neighbour& n : nearest) {
      const double truth = distance(GetParam(), query, trips[n.index], settings);
      EXPECT_NEAR(n.distance, truth, allowed_in_double(GetParam(), truth, extent)) << scale;
    }
  }
};

TEST_P(ScaleTest, AnswersAreRightAtEveryScale) {
  const auto trips = mixed(GetParam(), 60, 30, 1);
  const auto queries = mixed(GetParam(), 3, 30, 2);
  for (const double scale : {1e-100, 1e-40, 1e-30, 1e-22, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16,
                             1e-15,  1e-12, 1e-6,  1.0,   1e6,   1e12,  1e13,  1e14,  1e15,
                             1e16,   1e17,  1e18,  1e19,  1e20,  1e30,  1e40,  1e100}) {
    for (const Points& query : queries) {
      expect_right(scaled(trips, scale), scaled(query, scale), scale);
    }
  }
}

TEST_P(ScaleTest, AQueryMayBeOfAnotherScaleThanTheBase) {
  const auto trips = mixed(GetParam(), 60, 30, 1);
  const Points query = random_points(20, 5);
  for (const double scale : {1e-30, 1e-18, 1e20, 1e40}) {
    expect_right(trips, scaled(query, scale), 1);
    expect_right(scaled(trips, scale), query, scale);
  }
}

TEST_P(ScaleTest, SaysWhereItHasNoBounds) {
  const auto trips = mixed(GetParam(), 20, 10, 1);
  for (const double scale : {1e-18, 1e20}) {
    EXPECT_FALSE(
        ExactSearch(GetParam(), set_of(scaled(trips, scale)), settings_at(scale)).has_bounds());
  }
  EXPECT_TRUE(ExactSearch(GetParam(), set_of(trips), settings_at(1)).has_bounds());
}

TEST_P(ScaleTest, SinglePrecisionRefusesWhatItCannotHold) {
  const auto trips = mixed(GetParam(), 20, 10, 1);
  if (GetParam() == Measure::frechet_continuous) GTEST_SKIP() << "always in double precision";
  const std::string far = "too far for single precision";
  expect_error(ErrorCode::bad_input, far, "double precision",
               [&] { PairEngine(GetParam(), set_of(scaled(trips, 1e20)), settings_at(1e20)); });
  const PairEngine engine(GetParam(), set_of(trips), settings_at(1));
  const std::vector<Points> distant{scaled(trips[0], 1e20)};
  std::vector<float> row(trips.size());
  const TemporaryFolder folder;
  MatrixOptions options;
  options.measure = GetParam();
  options.settings = settings_at(1e20);
  expect_error(ErrorCode::bad_input, far, "", [&] {
    write_matrix(set_of(scaled(trips, 1e20)), nullptr, folder / "m.npy", options);
  });
  EXPECT_TRUE(folder.names().empty()) << "refused before anything is written";
  expect_error(ErrorCode::bad_input, far, "", [&] { engine.one_to_many(distant[0], row); });
  expect_error(ErrorCode::bad_input, far, "", [&] { engine.many_to_many(set_of(distant), row); });
}

INSTANTIATE_TEST_SUITE_P(Measures, ScaleTest, testing::ValuesIn(all_measures));

TEST(Scales, WhereSquaresOverflowNothingIsMeasured) {
  expect_error(ErrorCode::bad_input, "trajectory 0 .* beyond 1e150", "", [] {
    set_of({{{1e151, 0}, {0, 0}}});
  });
}

}  // namespace
}  // namespace tsmini
