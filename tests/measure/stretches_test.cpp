// How trajectories are cut, and what blocks and hulls keep of them, by hand.
#include "measure/stretches.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "measure/box_bounds.h"
#include "measure/grid_boxes.h"
#include "measure/hull_levels.h"
#include "measure/path_block.h"
#include "measure/reach_bounds.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

Points numbered(std::size_t length) {
  Points points;
  for (std::size_t i = 0; i < length; ++i) points.push_back({static_cast<double>(i), 0});
  return points;
}

using PerStretch = std::array<std::size_t, stretches>;

PerStretch sizes_of(std::size_t length) {
  const Points points = numbered(length);
  PerStretch sizes{};
  for (std::size_t s = 0; s < stretches; ++s) sizes[s] = stretch_points(points, s).size();
  return sizes;
}

PerStretch inner_of(std::size_t length) {
  PerStretch inner{};
  for (std::size_t s = 0; s < stretches; ++s) {
    inner[s] = static_cast<std::size_t>(inner_points(length, s));
  }
  return inner;
}

TEST(Stretches, AreAsLongAsEachOther) {
  EXPECT_EQ(sizes_of(8), (PerStretch{1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(sizes_of(9), (PerStretch{1, 1, 1, 1, 1, 1, 1, 2}));
  EXPECT_EQ(sizes_of(16), (PerStretch{2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(sizes_of(20), (PerStretch{2, 3, 2, 3, 2, 3, 2, 3}));
}

TEST(Stretches, CountWhatIsNeitherFirstNorLast) {
  EXPECT_EQ(inner_of(1), PerStretch{});
  EXPECT_EQ(inner_of(2), PerStretch{});
  EXPECT_EQ(inner_of(3), (PerStretch{0, 1}));
  EXPECT_EQ(inner_of(7), (PerStretch{0, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(inner_of(8), (PerStretch{0, 1, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(inner_of(9), (PerStretch{0, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(inner_of(20), (PerStretch{1, 3, 2, 3, 2, 3, 2, 2}));
}

TEST(Stretches, OfShortOnesRepeatTheLastPoint) {
  const Points three = numbered(3);
  for (std::size_t s = 0; s < stretches; ++s) {
    EXPECT_EQ(stretch_points(three, s).size(), 1u);
    EXPECT_EQ(stretch_points(three, s)[0].x, std::min(s, std::size_t{2})) << s;
  }
  EXPECT_EQ(stretch_path(three, 0).size(), 2u);
  EXPECT_EQ(stretch_path(three, 2).size(), 1u);
  EXPECT_EQ(stretch_path(three, 3).size(), 1u);
  EXPECT_EQ(stretch_path(three, 3)[0].x, 2);
}

TEST(Stretches, FollowEachOtherAndLeadOn) {
  for (std::size_t length = stretches; length <= 70; ++length) {
    const Points points = numbered(length);
    double next = 0;
    for (std::size_t s = 0; s < stretches; ++s) {
      const auto some = stretch_points(points, s), path = stretch_path(points, s);
      ASSERT_EQ(some.front().x, next) << length << ' ' << s;
      EXPECT_EQ(path.data(), some.data());
      next = some.back().x + 1;
      const bool is_last = s + 1 == stretches;
      EXPECT_EQ(path.size(), some.size() + (is_last ? 0 : 1)) << length << ' ' << s;
    }
    EXPECT_EQ(next, static_cast<double>(length));
  }
}

void expect_box(const GridBox& got, const GridBox& wanted) {
  EXPECT_EQ(got.low, wanted.low);
  EXPECT_EQ(got.high, wanted.high);
}

TEST(Stretches, AHullIsThatOfTheFirstLanes) {
  GridBoxes boxes{};
  set_box(boxes, 0, grid_box(5, 9, 6, 10));
  set_box(boxes, 1, grid_box(3, 20, 4, 30));
  set_box(boxes, 2, grid_box(0, 0, 32767, 32767));
  expect_box(get_box(boxes, 1), grid_box(3, 20, 4, 30));
  expect_box(hull_of(boxes, 1), grid_box(5, 9, 6, 10));
  expect_box(hull_of(boxes, 2), grid_box(3, 9, 6, 30));
  expect_box(hull_of(boxes, 3), grid_box(0, 0, 32767, 32767));
}

// Points at halves of a unit, whose boxes are the cells they lie in.
Points at_halves(const std::vector<std::pair<int, int>>& cells) {
  Points points;
  for (const auto& [x, y] : cells) points.push_back({x + 0.5, y + 0.5});
  return points;
}

TEST(Blocks, KeepTheBoxesOfATrajectory) {
  const Grid grid({0, 0}, 0);
  const Points points =
      at_halves({{0, 0}, {10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}, {60, 6}, {70, 7}, {80, 9}});
  BoxBlock boxes{};
  PathBlock paths{};
  BoxFiller(grid).fill(boxes, 5, points);
  PathFiller(grid).fill(paths, 5, points);
  expect_box(get_box(boxes.first, 5), grid_box(0, 0, 1, 1));
  expect_box(get_box(boxes.last, 5), grid_box(80, 9, 81, 10));
  expect_box(get_box(boxes.stretch[3], 5), grid_box(30, 3, 31, 4));
  expect_box(get_box(boxes.stretch[7], 5), grid_box(70, 7, 81, 10));
  expect_box(get_box(paths.part[3], 5), grid_box(30, 3, 41, 5));
  expect_box(get_box(paths.part[7], 5), grid_box(70, 7, 81, 10));
  EXPECT_EQ(boxes.inner[0][5], 0);
  EXPECT_EQ(boxes.inner[7][5], 1);
  EXPECT_EQ(paths.least_points[5], 9);
  EXPECT_EQ(paths.most_points[5], 9);
  expect_box(get_box(boxes.first, 4), {});
}

// No less than the truth, and no more than its factor and a rounding make it.
TEST(Blocks, LengthsAreRoundedUp) {
  const Points points{{0, 0}, {3, 4}, {3, 4}, {3, 16}};
  EXPECT_EQ(polyline_length(points), 17);
  EXPECT_EQ(polyline_length(numbered(1)), 0);
  PathBlock paths{};
  PathFiller(Grid({0, 0}, 0)).fill(paths, 0, points);
  EXPECT_GT(paths.length[0], 17);
  EXPECT_LT(paths.length[0], 17 * (1 + 1.2e-6));
  const Grid coarse({0, 0}, 1000);
  PathFiller(coarse).fill(paths, 1, points);
  EXPECT_NEAR(paths.length[1] * coarse.unit() / 17, 1 + 1e-6, 1.2e-7);
}

TEST(Blocks, HullsHoldTheFirstLanes) {
  const Grid grid({0, 0}, 0);
  BoxBlock boxes{}, box_hulls{};
  PathBlock paths{}, path_hulls{};
  const std::vector<Points> trips{at_halves({{5, 6}, {7, 8}, {9, 9}}), at_halves({{2, 9}, {1, 1}}),
                                  at_halves({{900, 900}, {0, 0}, {0, 0}, {900, 900}})};
  for (std::size_t lane = 0; lane < trips.size(); ++lane) {
    BoxFiller(grid).fill(boxes, lane, trips[lane]);
    PathFiller(grid).fill(paths, lane, trips[lane]);
  }
  BoxFiller::fill_hull(box_hulls, 3, boxes, 2);
  PathFiller::fill_hull(path_hulls, 3, paths, 2);
  expect_box(get_box(box_hulls.first, 3), grid_box(2, 6, 6, 10));
  expect_box(get_box(box_hulls.last, 3), grid_box(1, 1, 10, 10));
  expect_box(get_box(box_hulls.stretch[1], 3), grid_box(1, 1, 8, 9));
  EXPECT_EQ(box_hulls.inner[1][3], 0) << "the least: the second has none";
  expect_box(get_box(path_hulls.part[0], 3), grid_box(1, 1, 8, 10));
  EXPECT_EQ(path_hulls.least_points[3], 2);
  EXPECT_EQ(path_hulls.most_points[3], 3);
  EXPECT_EQ(path_hulls.length[3], paths.length[1]) << "the longest of the first two";
  BoxFiller::fill_hull(box_hulls, 0, boxes, 1);
  EXPECT_EQ(box_hulls.inner[1][0], 1);
}

TEST(Blocks, KeepHowFarATrajectoryReaches) {
  ReachBlock block{};
  ReachFiller({1, 1}).fill(block, 7, Points{{1, 2}, {-3, 5}});
  const auto value = [&](std::size_t k) { return block.value[k][7]; };
  const float half_root = std::numbers::sqrt2_v<float> / 2;
  EXPECT_FLOAT_EQ(value(0), 0);
  EXPECT_FLOAT_EQ(value(2), half_root);
  EXPECT_FLOAT_EQ(value(4), 4);
  EXPECT_FLOAT_EQ(value(6), 8 * half_root);
  EXPECT_FLOAT_EQ(value(8), 4);
  EXPECT_FLOAT_EQ(value(12), -1);
  const std::array ends{0.0F, 1.0F, -4.0F, 4.0F};
  for (std::size_t k = 0; k < ends.size(); ++k) EXPECT_EQ(value(reach_directions + k), ends[k]);

  ReachFiller filler({0, 0});
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    filler.fill(block, lane, Points{{static_cast<double>(lane), 10}});
  }
  ReachHulls hulls{}, above{};
  ReachFiller::fill_hull(hulls, 2, block);
  EXPECT_EQ(hulls.low.value[0][2], 0);
  EXPECT_EQ(hulls.high.value[0][2], 15);
  hulls.low.value[0][0] = 3, hulls.high.value[0][0] = 4;
  hulls.low.value[0][1] = 2, hulls.high.value[0][1] = 9;
  ReachFiller::fill_hull(above, 5, hulls, 2);
  EXPECT_EQ(above.low.value[0][5], 2) << "the third lane does not count";
  EXPECT_EQ(above.high.value[0][5], 9);
}

TEST(HullLevels, HaveASixteenthOfTheNodesBelow) {
  using Nodes = std::vector<std::size_t>;
  EXPECT_EQ(nodes_of_levels(1), (Nodes{1, 1}));
  EXPECT_EQ(nodes_of_levels(16), (Nodes{16, 1}));
  EXPECT_EQ(nodes_of_levels(17), (Nodes{17, 2, 1}));
  EXPECT_EQ(nodes_of_levels(256), (Nodes{256, 16, 1}));
  EXPECT_EQ(nodes_of_levels(257), (Nodes{257, 17, 2, 1}));
}

// A hull that knows which blocks are in it; lanes that nothing was put into have none.
struct CountedHulls {
  std::array<std::size_t, bound_lanes> blocks{};
};

TEST(HullLevels, TakeWhatThereIsOfEachNode) {
  for (const std::size_t blocks : {std::size_t{1}, std::size_t{16}, std::size_t{17},
                                   std::size_t{256}, std::size_t{257}, std::size_t{5000}}) {
    const std::vector<std::size_t> nodes = nodes_of_levels(blocks);
    Array<CountedHulls> first;
    CountedHulls* hulls = first.grow(nodes[1]);
    for (std::size_t b = 0; b < blocks; ++b) hulls[b / bound_lanes].blocks[b % bound_lanes] = 1;
    // What a node does not have must not be looked at.
    for (std::size_t b = blocks; b < nodes[1] * bound_lanes; ++b) {
      hulls[b / bound_lanes].blocks[b % bound_lanes] = 1'000'000;
    }
    const HullLevels<CountedHulls> levels(
        first.values(), blocks,
        [](CountedHulls& into, std::size_t lane, const CountedHulls& node, std::size_t lanes) {
          for (std::size_t l = 0; l < lanes; ++l) into.blocks[lane] += node.blocks[l];
        });
    std::size_t counted = 0;
    const std::size_t top = nodes.size() - 1, lanes = nodes[top - 1];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      counted += levels.at(first, top, 0).blocks[lane];
    }
    EXPECT_EQ(counted, blocks);
  }
}

}  // namespace
}  // namespace tsmini
