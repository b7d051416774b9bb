#include "model/cell_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

// 30 columns and 25 rows of 100 m.
CellGrid some_grid() {
  return {NetSettings(), {Space(), {-500, -250}, {2500, 2250}}};
}

TEST(CellGrid, NumbersCellsRowByRow) {
  const CellGrid grid = some_grid();
  EXPECT_EQ(grid.columns, 30);
  EXPECT_EQ(grid.rows, 25);
  EXPECT_EQ(grid.number_at(0, 0), 0);
  EXPECT_EQ(grid.number_at(0.05F, 0), 1);
  EXPECT_EQ(grid.number_at(0, 0.05F), 30);
  EXPECT_EQ(grid.number_at(1, 1), 749) << "the far border belongs to the last cell";
}

TEST(CellGrid, OfASinglePoint) {
  const CellGrid grid(NetSettings(), {Space(), {5, 5}, {5, 5}});
  EXPECT_EQ(grid.number_at(0, 0), 0);
  EXPECT_EQ(grid.columns * grid.rows, 1);
}

TEST(CellGrid, RefusesCellsThatNobodyCanCount) {
  NetSettings settings;
  settings.sub_views = false;
  const FeatureFrame city{Space(), {0, 0}, {100'000, 50'000}};
  settings.cell_metres = 0.006;
  const CellGrid fine(settings, city);
  EXPECT_GT(fine.number_at(1, 1), std::int64_t{1} << 46);
  for (const double side : {0.005, 1e-5, 1e-300}) {
    settings.cell_metres = side;
    expect_error(ErrorCode::bad_input, "m wide are too many over 100000 m", "wider",
                 [&] { CellGrid(settings, city); });
  }
}

TEST(CellGrid, UnknownCellsShareTheFirstRow) {
  const std::vector<std::int64_t> known{3, 7, 8};
  EXPECT_EQ(row_of_cell(known, 3), 1U);
  EXPECT_EQ(row_of_cell(known, 8), 3U);
  for (const std::int64_t other : {0, 4, 9}) EXPECT_EQ(row_of_cell(known, other), 0U) << other;
  EXPECT_EQ(row_of_cell({}, 3), 0U);
}

// Cell numbers of a country exceed what single precision counts; columns and rows do not.
TEST(CellGrid, PlacesKeepEveryDigit) {
  const CellGrid grid(NetSettings(), {Space(), {0, 0}, {1'200'000, 1'000'000}});
  const std::vector<std::int64_t> known{0, 11'999, 12'000, 99'999'999, 119'999'999};
  EXPECT_EQ(cells_at_places(grid, places_of_cells(grid, known)), known);
}

TEST(CellGrid, RefusesPlacesThatDoNotRiseOrLeaveTheGrid) {
  const CellGrid grid = some_grid();
  using Places = std::vector<float>;
  for (const Places& bad : {Places{1, 0, 0, 0}, Places{4, 2, 4, 2}, Places{30, 0}, Places{0, 25},
                            Places{-1, 0}, Places{std::nanf(""), 0}}) {
    expect_error(ErrorCode::bad_input, "'cells.known' names column", "rise",
                 [&] { cells_at_places(grid, bad); });
  }
}

}  // namespace
}  // namespace tsmini
