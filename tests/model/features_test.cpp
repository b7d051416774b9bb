#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/model.h"

#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Row = std::vector<float>;

// The unit square of features is 0 … 10 km east and 0 … 20 km north.
FeatureFrame frame() {
  return {Space(), {0, 0}, {10'000, 20'000}};
}

std::vector<Row> features_of(const std::vector<Planar>& points) {
  const std::size_t rows = feature_rows(points.size());
  std::vector<float> values(rows * feature_count, -1);
  point_features(frame(), points, values);
  std::vector<Row> result(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * feature_count);
    result[i] = {begin, begin + feature_count};
  }
  return result;
}

TEST(Features, OfAnLShapedPath) {
  // Three steps of 1 km east, then a left turn and three of 2 km north.
  const auto rows = features_of({{1000, 2000},
                                 {2000, 2000},
                                 {3000, 2000},
                                 {4000, 2000},
                                 {4000, 4000},
                                 {4000, 6000},
                                 {4000, 8000}});
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0], (Row{0.1F, 0.1F, 0, 1, 0, 0, 0}));
  EXPECT_EQ(rows[1], (Row{0.2F, 0.1F, 1, 1, 0, 0, 0}));
  EXPECT_EQ(rows[2], (Row{0.3F, 0.1F, 1, 1, 0, 0, 0}));
  EXPECT_EQ(rows[3], (Row{0.4F, 0.1F, 1, 2, 0, 0.25F, 0.5F}));
  EXPECT_EQ(rows[4], (Row{0.4F, 0.2F, 2, 2, 0.25F, 0.25F, 0}));
  EXPECT_EQ(rows[5], (Row{0.4F, 0.3F, 2, 2, 0.25F, 0.25F, 0}));
  EXPECT_EQ(rows[6], (Row{0.4F, 0.4F, 2, 0, 0.25F, 0, 0}));
}

TEST(Features, HeadingsAndTurnsOfAllDirections) {
  // East, south, west, north, back south, then east of south.
  const auto rows = features_of({{0, 5000},
                                 {1000, 5000},
                                 {1000, 4000},
                                 {0, 4000},
                                 {0, 5000},
                                 {0, 3000},
                                 {3000, 0},
                                 {3000, 0}});
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[1], (Row{0.1F, 0.25F, 1, 1, 0, 0.75F, 0.5F}));
  EXPECT_EQ(rows[2], (Row{0.1F, 0.2F, 1, 1, 0.75F, 0.5F, 0.5F}));
  EXPECT_EQ(rows[3], (Row{0, 0.2F, 1, 1, 0.5F, 0.25F, 0.5F}));
  EXPECT_EQ(rows[4], (Row{0, 0.25F, 1, 2, 0.25F, 0.75F, 1}));
  EXPECT_EQ(rows[5],
            (Row{0, 0.15F, 2, static_cast<float>(3 * std::sqrt(2.0)), 0.75F, 0.875F, 0.25F}));
  // A segment without length has heading 0; the turn is the difference of the headings.
  EXPECT_EQ(rows[6], (Row{0.3F, 0, static_cast<float>(3 * std::sqrt(2.0)), 0, 0.875F, 0, 0.25F}));
  EXPECT_EQ(rows[7], (Row{0.3F, 0, 0, 0, 0, 0, 0}));
}

TEST(Features, HeadingStaysBelowOne) {
  const auto rows = features_of({{0, 0}, {10'000, -1e-13}, {20'000, 0}});
  for (const Row& row : rows) {
    for (const std::size_t at : {4u, 5u}) EXPECT_LT(row[at], 0.5F);
  }
}

TEST(Features, OfOnePointAreItsPlaceSevenTimes) {
  const auto rows = features_of({{2000, 5000}});
  ASSERT_EQ(rows.size(), 7u);
  for (const Row& row : rows) EXPECT_EQ(row, (Row{0.2F, 0.25F, 0, 0, 0, 0, 0}));
}

TEST(Features, TwoPointsAreExtendedAtTheEndFirst) {
  // A A A B B B B: two copies in front, three behind.
  const auto rows = features_of({{1000, 0}, {1000, 1000}});
  ASSERT_EQ(rows.size(), 7u);
  const Row at_a{0.1F, 0, 0, 0, 0, 0, 0}, at_b{0.1F, 0.05F, 0, 0, 0, 0, 0};
  EXPECT_EQ(rows[0], at_a);
  EXPECT_EQ(rows[1], at_a);
  EXPECT_EQ(rows[2], (Row{0.1F, 0, 0, 1, 0, 0.25F, 0.5F}));
  EXPECT_EQ(rows[3], (Row{0.1F, 0.05F, 1, 0, 0.25F, 0, 0.5F}));
  EXPECT_EQ(rows[4], at_b);
  EXPECT_EQ(rows[5], at_b);
  EXPECT_EQ(rows[6], at_b);
}

TEST(Features, CopiesInFrontAndBehind) {
  for (std::size_t n = 1; n <= 9; ++n) {
    std::vector<Planar> points;
    for (std::size_t i = 0; i < n; ++i) points.push_back({1000.0 * static_cast<double>(i), 0});
    const auto rows = features_of(points);
    ASSERT_EQ(rows.size(), std::max<std::size_t>(n, 7));
    const std::size_t in_front = n < 7 ? (7 - n) / 2 : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t point = std::min(i < in_front ? 0 : i - in_front, n - 1);
      EXPECT_FLOAT_EQ(rows[i][0], 0.1F * static_cast<float>(point)) << n << ' ' << i;
    }
  }
}

TEST(Features, OutsideTheBoxTheyGoOn) {
  const auto rows = features_of({{-1000, 30'000}});
  EXPECT_EQ(rows[0][0], -0.1F);
  EXPECT_EQ(rows[0][1], 1.5F);
}

TEST(FeatureFrame, IsTheBoxOfTheDataAndHalfAKilometre) {
  const Dataset planar = built({{"a", {{100, 200}, {300, -50}}, {}}}, {}, Coordinates::planar);
  const FeatureFrame flat = FeatureFrame::fit(planar);
  EXPECT_EQ(flat.space.kind(), SpaceKind::planar);
  EXPECT_EQ(flat.low.x, -400);
  EXPECT_EQ(flat.low.y, -550);
  EXPECT_EQ(flat.high.x, 800);
  EXPECT_EQ(flat.high.y, 700);

  const Dataset degrees = built({{"a", {{-8.6, 41.1}, {-8.5, 41.2}}, {}}});
  const FeatureFrame round = FeatureFrame::fit(degrees);
  EXPECT_EQ(round.space.kind(), SpaceKind::mercator);
  const Planar low = round.space.project({-8.6, 41.1}), high = round.space.project({-8.5, 41.2});
  EXPECT_EQ(round.low.x, low.x - 500);
  EXPECT_EQ(round.low.y, low.y - 500);
  EXPECT_EQ(round.high.x, high.x + 500);
  EXPECT_EQ(round.high.y, high.y + 500);
}

TEST(FeatureFrame, OnlyTheSplitCountsWhereThereIsOne) {
  const Dataset data = built({{"a", {{0, 0}, {1, 1}}, {}}, {"glitch", {{90, 80}, {1, 1}}, {}}},
                             {Part::train, Part::none});
  const FeatureFrame frame = FeatureFrame::fit(data);
  EXPECT_TRUE(frame.contains(frame.space.project({1, 1})));
  EXPECT_FALSE(frame.contains(frame.space.project({90, 80})));
}

TEST(FeatureFrame, ContainsItsBorders) {
  EXPECT_TRUE(frame().contains({0, 0}));
  EXPECT_TRUE(frame().contains({10'000, 20'000}));
  EXPECT_FALSE(frame().contains({-1e-9, 0}));
  EXPECT_FALSE(frame().contains({5, 20'001}));
  EXPECT_FALSE(frame().contains({std::nan(""), 5}));
}

TEST(FeatureFrame, TellsItsBoxAsTheDataHasIt) {
  const Dataset planar = built({{"a", {{100, 200}, {300, -50}}, {}}}, {}, Coordinates::planar);
  EXPECT_EQ(FeatureFrame::fit(planar).box(), (Box{-400, -550, 800, 700}));

  const FeatureFrame round = FeatureFrame::fit(built({{"a", {{-8.6, 41.1}, {-8.5, 41.2}}, {}}}));
  const Box box = round.box();
  const Planar low = round.space.project({box.min_lon, box.min_lat});
  const Planar high = round.space.project({box.max_lon, box.max_lat});
  EXPECT_NEAR(low.x, round.low.x, 1e-6);
  EXPECT_NEAR(low.y, round.low.y, 1e-6);
  EXPECT_NEAR(high.x, round.high.x, 1e-6);
  EXPECT_NEAR(high.y, round.high.y, 1e-6);
}

TEST(FeatureFrame, RefusesWhatHasNoBox) {
  expect_error(ErrorCode::bad_input, "no points", "import", [] { FeatureFrame::fit(built({})); });
  expect_error(ErrorCode::bad_input, "too large", "metres", [] {
    FeatureFrame::fit(built({{"a", {{1e30, 0}}, {}}}, {}, Coordinates::planar));
  });
}

}  // namespace
}  // namespace tsmini
