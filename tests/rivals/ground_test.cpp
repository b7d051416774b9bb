#include "rivals/core/ground.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "base/random.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

TEST(Ground, KnowsTheCellsOfTripsAndTheirNeighbours) {
  const PlanarSet trip({{1000, 1000}, {1130, 1000}}, {0, 2});
  const Cells cells(trip);
  EXPECT_EQ(cells.columns(), 12);  // 130 m and 500 m on both sides
  EXPECT_EQ(cells.rows(), 10);
  EXPECT_EQ(cells.known().size(), 12U);  // 2 and their neighbours: 4 x 3
  EXPECT_EQ(cells.number_at({1000, 1000}), 5 * 12 + 5);
  const Planar centre = cells.centre_of(5 * 12 + 5);
  EXPECT_DOUBLE_EQ(centre.x, 1050);
  EXPECT_DOUBLE_EQ(centre.y, 1050);
}

TEST(Ground, APointElsewhereCountsAsOfTheNearestKnownCell) {
  const PlanarSet trips = small_trips(20);
  const Cells cells(trips);
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const auto [low, high] = cells.box();
    const Planar point{random.uniform(low.x - 900, high.x + 900),
                       random.uniform(low.y - 900, high.y + 900)};
    const std::int64_t column = cells.column_at(point), row = cells.row_of_grid_at(point);
    const auto away = [&](std::int64_t number) {
      return std::hypot(static_cast<double>(number % cells.columns() - column),
                        static_cast<double>(number / cells.columns() - row));
    };
    double least = 1e300;
    for (const std::int64_t number : cells.known()) least = std::min(least, away(number));
    const auto place = static_cast<std::size_t>(cells.row_at(point));
    EXPECT_DOUBLE_EQ(away(cells.known()[place]), least);
  }
}

TEST(Ground, APointFarFromAllIsFoundAtOnce) {
  const PlanarSet trips({{0, 0}, {1e8, 0}, {1e8, 90}}, {0, 1, 3});
  const Cells cells(trips);
  EXPECT_EQ(cells.row_at({4e7, 0}), cells.row_at({150, 0}));
  EXPECT_THROW(Cells(PlanarSet({{0, 0}, {1e15, 0}}, {0, 1, 2})), Error);
}

TEST(Ground, NeighboursGoBothWays) {
  const Cells cells(small_trips(5));
  const auto neighbours = cells.neighbours();
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (std::size_t d = 0; d < 8; ++d) {
      const std::int64_t there = neighbours[i][d];
      if (there < 0) continue;
      EXPECT_EQ(neighbours[static_cast<std::size_t>(there)][(d + 4) % 8],
                static_cast<std::int64_t>(i));
    }
  }
}

TEST(Ground, RunsOfOneCellBecomeTheirFirstPoint) {
  const std::vector<Planar> trip{{0, 0}, {10, 10}, {250, 0}, {20, 20}, {30, 20}};
  const Cells cells(PlanarSet(trip, {0, 5}));
  const std::vector<CellRun> runs = runs_of(cells, trip);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].point.x, 0);
  EXPECT_EQ(runs[1].point.x, 250);
  EXPECT_EQ(runs[2].point.x, 20);
  EXPECT_EQ(runs[0].row, runs[2].row);
}

TEST(Ground, StatisticsAreThoseOfAllPoints) {
  const Statistics s = statistics_of(PlanarSet({{1e7, 2}, {1e7 + 2, 2}, {1e7 + 4, 8}}, {0, 2, 3}));
  EXPECT_DOUBLE_EQ(s.mean_x, 1e7 + 2);
  EXPECT_NEAR(s.deviation_x, std::sqrt(8. / 3), 1e-9);
  EXPECT_NEAR(s.y({0, 8}), (8 - 4) / std::sqrt(8.), 1e-9);
}

TEST(Ground, ComesBackFromItsTensors) {
  Ground ground = common_ground(small_city(10));
  ground.tensors["vectors"] = torch::ones({3, 2});
  const Ground again = ground_from(ground.facts(), tensors_of(ground));
  EXPECT_EQ(again.cells.known(), ground.cells.known());
  EXPECT_EQ(again.cells.box().low.x, ground.cells.box().low.x);
  EXPECT_EQ(again.statistics.deviation_y, ground.statistics.deviation_y);
  EXPECT_TRUE(again.tensors.at("vectors").equal(ground.tensors.at("vectors")));
}

TEST(Ground, DamagedCellsAreRefused) {
  const Ground ground = common_ground(small_city(10));
  for (const float value : {-5.F, .5F, 1e9F}) {
    Tensors tensors = tensors_of(ground);
    tensors["ground.known"][0][0] = value;
    EXPECT_THROW(ground_from(ground.facts(), tensors), Error) << value;
  }
  Tensors equal = tensors_of(ground);
  equal["ground.known"].fill_(1);
  EXPECT_THROW(ground_from(ground.facts(), equal), Error);
}

}  // namespace
}  // namespace tsmini::rivals
