// The grid of bounds, by hand: of extent 0 its unit is 1 and its corner the origin.
#include "measure/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

const Grid units({0, 0}, 0);

struct Corners {
  std::uint32_t low_x, low_y, high_x, high_y;

  friend bool operator==(const Corners&, const Corners&) = default;
};

Corners corners_of(const GridBox& box) {
  return {box.low & 0xffffu, box.low >> 16, box.high & 0xffffu, box.high >> 16};
}

Corners corners_around(const Grid& grid, const Points& points) {
  return corners_of(grid.box(points));
}

TEST(Grid, ABaseFillsAllButOneOf32767Cells) {
  const Grid grid({100, -50}, 10);
  EXPECT_DOUBLE_EQ(grid.unit(), 20.001 / 32767);
  EXPECT_EQ(grid.place({90, -60}).x, 0);
  EXPECT_EQ(grid.place({90, -60}).y, 0);
  EXPECT_NEAR(grid.place({110, -50}).x, 32767 * 20 / 20.001, 1e-6);
  EXPECT_NEAR(grid.place({110, -50}).y, 32767 * 10 / 20.001, 1e-6);
  // So the box of what is farthest out still has its margin.
  EXPECT_EQ(corners_around(grid, {{110, -40}}), (Corners{32765, 32765, 32766, 32766}));
}

TEST(Grid, HoldsItsEdges) {
  EXPECT_EQ(units.unit(), 1);
  for (const double inside : {0.0, 1.0, 32767.0}) {
    EXPECT_TRUE(units.holds({inside, 5})) << inside;
    EXPECT_TRUE(units.holds({5, inside})) << inside;
  }
  for (const double outside : {-1e-9, 32767.001, -1e300, 1e300}) {
    EXPECT_FALSE(units.holds({outside, 5})) << outside;
    EXPECT_FALSE(units.holds({5, outside})) << outside;
  }
}

TEST(Grid, MovesWhatLiesOutsideToTheEdge) {
  const Planar p = units.place({-3, 40'000}), q = units.place({12.5, 7});
  EXPECT_EQ(p.x, 0);
  EXPECT_EQ(p.y, 32767);
  EXPECT_EQ(q.x, 12.5);
  EXPECT_EQ(q.y, 7);
}

TEST(Grid, BoxesHaveAMarginOnEverySide) {
  constexpr double margin = 1.0 / 256;
  EXPECT_EQ(corners_around(units, {{3.5, 7.25}}), (Corners{3, 7, 4, 8}));
  EXPECT_EQ(corners_around(units, {{4, 8}}), (Corners{3, 7, 5, 9}));
  EXPECT_EQ(corners_around(units, {{4 + margin, 9 - margin}}), (Corners{4, 8, 5, 9}));
  EXPECT_EQ(corners_around(units, {{4 + margin / 2, 9 - margin / 2}}), (Corners{3, 8, 5, 10}));
  EXPECT_EQ(corners_around(units, {{10, 2}, {1, 20}, {5, 5}}), (Corners{0, 1, 11, 21}));
  EXPECT_EQ(corners_around(units, {{0, 32767}}), (Corners{0, 32766, 1, 32767}));
  EXPECT_EQ(corners_around(units, {{-9, 1e9}}), (Corners{0, 32766, 1, 32767}));
}

// What bounds stand on: boxes are no farther apart than any of their points.
TEST(Grid, BoxesAreNoFartherApartThanTheirPoints) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const double extent = std::pow(10, random.uniform(-6, 9));
    const Planar origin{extent * random.uniform(-3, 3), extent * random.uniform(-3, 3)};
    const Grid grid(origin, extent);
    const auto points = [&] {
      Points some(1 + random.below(5));
      const double size = random.chance(0.5) ? 1 : 1e-4;
      const Planar at{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
      for (Planar& p : some) {
        p = {origin.x + extent * (at.x + size * random.uniform(-1, 1)),
             origin.y + extent * (at.y + size * random.uniform(-1, 1))};
      }
      return some;
    };
    const Points a = points(), b = points();
    const Corners box_a = corners_around(grid, a), box_b = corners_around(grid, b);
    const auto gap = [](double low, double high, double other_low, double other_high) {
      return std::max({low - other_high, other_low - high, 0.0});
    };
    const double apart = std::hypot(gap(box_a.low_x, box_a.high_x, box_b.low_x, box_b.high_x),
                                    gap(box_a.low_y, box_a.high_y, box_b.low_y, box_b.high_y)) *
                         grid.unit();
    double truth = std::numeric_limits<double>::infinity();
    for (const Planar& p : a) {
      for (const Planar& q : b) truth = std::min(truth, std::hypot(p.x - q.x, p.y - q.y));
    }
    EXPECT_LE(apart, truth) << "round " << round;
  }
}

}  // namespace
}  // namespace tsmini
