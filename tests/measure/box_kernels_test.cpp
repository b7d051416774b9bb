// The kernels of the bounds of dtw, on every SIMD target, against plain loops and by hand.
#include "measure/box_kernels.h"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "measure/every_target.h"
#include "measure/grid_boxes.h"
#include "measure/stretches.h"

namespace tsmini {
namespace {

using LaneValues = std::array<float, bound_lanes>;

LaneValues sums_of(const BoxBlock& block, const BoxQuery& query) {
  alignas(64) LaneValues bounds{};
  sum_boxes(block, query, bounds.data());
  return bounds;
}

double plain_sum(const BoxBlock& block, const BoxQuery& query, std::size_t lane) {
  double mine = 0, theirs = 0;
  for (std::size_t s = 0; s < stretches; ++s) {
    double to_block = std::numeric_limits<double>::infinity(), to_query = to_block;
    for (std::size_t t = 0; t < stretches; ++t) {
      to_block = std::min(to_block, apart(plain(query.stretch[s]), plain(block.stretch[t], lane)));
      to_query = std::min(to_query, apart(plain(query.stretch[t]), plain(block.stretch[s], lane)));
    }
    mine += to_block * query.inner[s];
    theirs += to_query * block.inner[s][lane];
  }
  const double first = apart(plain(query.first), plain(block.first, lane));
  const double last = apart(plain(query.last), plain(block.last, lane));
  return (first + last * query.last_counts + std::max(mine, theirs)) * query.scale;
}

BoxBlock random_block(Random& random, std::uint32_t side) {
  BoxBlock block{};
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    set_box(block.first, lane, random_box(random, side));
    set_box(block.last, lane, random_box(random, side));
    for (std::size_t s = 0; s < stretches; ++s) {
      set_box(block.stretch[s], lane, random_box(random, side));
      block.inner[s][lane] = static_cast<float>(random.below(20));
    }
  }
  return block;
}

TEST(BoxKernels, SumsAreThoseOfPlainLoops) {
  on_every_target([] {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
      const std::uint32_t side = round % 3 == 0 ? 12 : round % 3 == 1 ? 400 : 32767;
      const BoxBlock block = random_block(random, side);
      BoxQuery query{};
      query.first = random_box(random, side);
      query.last = random_box(random, side);
      for (std::size_t s = 0; s < stretches; ++s) {
        query.stretch[s] = random_box(random, side);
        query.inner[s] = static_cast<float>(random.below(20));
      }
      query.last_counts = round % 5 == 0 ? 0.0F : 1.0F;
      query.scale = round % 2 == 0 ? 1.0F : 0.25F;
      const LaneValues found = sums_of(block, query);
      for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
        const double truth = plain_sum(block, query, lane);
        ASSERT_LE(found[lane], truth * (1 + root_above)) << round << ' ' << lane;
        ASSERT_GE(found[lane], truth * (1 - root_below)) << round << ' ' << lane;
      }
    }
  });
}

// The first are 5 apart, the last 13; two inner points of the query are 10 from the nearest, three
// of the other 10 from the nearest of the query's.
TEST(BoxKernels, SumsByHand) {
  BoxQuery query{};
  query.first = grid_box(100, 100, 101, 101);
  query.last = grid_box(200, 200, 201, 201);
  for (GridBox& box : query.stretch) box = grid_box(500, 500, 510, 510);
  query.inner[2] = 2;
  query.last_counts = 1;
  query.scale = 1;
  BoxBlock block{};
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    set_box(block.first, lane, grid_box(104, 105, 106, 106));
    set_box(block.last, lane, grid_box(190, 180, 195, 188));
    for (std::size_t s = 0; s < stretches; ++s) {
      set_box(block.stretch[s], lane, grid_box(1000, 1000, 2000, 2000));
    }
    set_box(block.stretch[7], lane, grid_box(518, 516, 530, 530));
  }
  block.inner[7][4] = 3;
  on_every_target([&] {
    const LaneValues found = sums_of(block, query);
    EXPECT_NEAR(found[0], 5 + 13 + 2 * 10, 38 * root_below);
    EXPECT_NEAR(found[4], 5 + 13 + 3 * 10, 48 * root_below);
    BoxQuery lone = query;
    lone.last_counts = 0;
    EXPECT_NEAR(sums_of(block, lone)[15], 5 + 2 * 10, 25 * root_below);
  });
}

// Boxes that touch, or hold each other, are at 0 and nothing else is.
TEST(BoxKernels, TouchingBoxesAreAtZero) {
  BoxQuery query{};
  query.scale = 1;
  query.first = grid_box(10, 20, 30, 40);
  BoxBlock block{};
  const std::array others{grid_box(30, 40, 50, 60),      grid_box(15, 25, 16, 26),
                          grid_box(0, 0, 32767, 32767),  grid_box(0, 0, 10, 20),
                          grid_box(31, 20, 40, 40),      grid_box(0, 0, 30, 19),
                          grid_box(32767, 40, 32767, 41)};
  for (std::size_t lane = 0; lane < others.size(); ++lane) set_box(block.first, lane, others[lane]);
  on_every_target([&] {
    const LaneValues found = sums_of(block, query);
    for (const std::size_t lane :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      EXPECT_EQ(found[lane], 0) << lane;
    }
    EXPECT_NEAR(found[4], 1, root_below);
    EXPECT_NEAR(found[5], 1, root_below);
    EXPECT_NEAR(found[6], 32737, 32737 * root_below);
  });
}

// The table of dtw, a box for a column.
std::array<double, stretches> plain_alignment(const BoxAlignment& call, std::size_t lane) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, stretches + 1> row;
  row.fill(infinity);
  row[0] = 0;
  for (std::size_t i = 0; i < call.count; ++i) {
    std::array<double, stretches + 1> next;
    next[0] = infinity;
    for (std::size_t s = 0; s < stretches; ++s) {
      const double cost = apart(plain(call.stretch[s], lane), call.x[i], call.y[i]);
      next[s + 1] = cost + std::min({row[s], row[s + 1], next[s]});
    }
    row = next;
  }
  std::array<double, stretches> sums;
  std::copy(row.begin() + 1, row.end(), sums.begin());
  return sums;
}

TEST(BoxKernels, AlignmentsAreThoseOfThePlainTable) {
  on_every_target([] {
    Random random(4);
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{8},
                                    std::size_t{9}, std::size_t{40}}) {
      for (int round = 0; round < 20; ++round) {
        const std::uint32_t side = round % 2 == 0 ? 30 : 32767;
        std::vector<float> x, y;
        for (std::size_t i = 0; i < count; ++i) {
          x.push_back(static_cast<float>(random.uniform(0, side)));
          y.push_back(static_cast<float>(random.below(side)));
        }
        BoxAlignment call{x.data(), y.data(), count, {}, {}};
        for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
          for (GridBoxes& boxes : call.stretch) set_box(boxes, lane, random_box(random, side));
        }
        align_with_boxes(call);
        for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
          const auto truth = plain_alignment(call, lane);
          for (std::size_t s = 0; s < stretches; ++s) {
            ASSERT_LE(call.sums[s][lane], truth[s] * (1 + root_above)) << count << ' ' << s;
            ASSERT_GE(call.sums[s][lane], truth[s] * (1 - root_below)) << count << ' ' << s;
          }
        }
      }
    }
  });
}

// Boxes in a row, 10 apart, and points in the first, the third and the second. No box is passed
// over: the first or the second point looks at the second box for 10.5, and what ends at the third
// goes there from the second for 10.5.
TEST(BoxKernels, AlignmentsByHand) {
  const std::vector<float> x{0.5F, 22.5F, 11.5F}, y{0.5F, 0.5F, 0.5F};
  BoxAlignment call{x.data(), y.data(), 3, {}, {}};
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    for (std::uint32_t s = 0; s < stretches; ++s) {
      set_box(call.stretch[s], lane, grid_box(11 * s, 0, 11 * s + 1, 1));
    }
  }
  on_every_target([&] {
    align_with_boxes(call);
    EXPECT_NEAR(call.sums[0][3], 21.5 + 10.5, 32 * root_below);
    EXPECT_NEAR(call.sums[1][3], 10.5, 10.5 * root_below);
    EXPECT_NEAR(call.sums[2][3], 10.5 + 10.5, 21 * root_below);
    EXPECT_NEAR(call.sums[3][3], 10.5 + 21.5, 32 * root_below);
  });
}

// What is taken off is at least what roots and sums may add, and no more than a few times that.
TEST(BoxKernels, ScaleTakesOffTheirErrors) {
  for (const std::size_t steps : {std::size_t{0}, std::size_t{16}, std::size_t{1000}}) {
    const double sums = 1.2e-7 * static_cast<double>(steps);
    EXPECT_NEAR(safe_scale(1, steps), 1 - 4e-4 - sums, 6e-8);
    EXPECT_LT(safe_scale(1, steps) * (1 + 1.5 / 4096 + sums / 2), 1);
    EXPECT_NEAR(safe_scale(2.5, steps), 2.5 * safe_scale(1, steps), 3e-7);
  }
}

}  // namespace
}  // namespace tsmini
