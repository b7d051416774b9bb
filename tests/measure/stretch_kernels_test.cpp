// The kernels of the bounds that add something up, on every SIMD target, against plain loops in
// double precision and by hand.
#include "measure/stretch_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/planar_set.h"

#include "measure/bounds.h"
#include "measure/every_target.h"
#include "measure/grid_boxes.h"
#include "measure/search_tables.h"
#include "measure/stretches.h"

namespace tsmini {
namespace {

constexpr double far_off = std::numeric_limits<double>::infinity();

// A block and a query of it.
struct Scene {
  BoxBlock boxes{};
  PathBlock paths{};
  StretchQuery query{};

  double count(std::size_t t, std::size_t lane) const {
    const double ends = t == 0 ? 1 : t + 1 == stretches && paths.least_points[lane] > 1 ? 1 : 0;
    return boxes.inner[t][lane] + ends;
  }

  std::array<float, bound_lanes> bounds(Measure measure) const {
    alignas(64) std::array<float, bound_lanes> found{};
    stretch_kernel(measure)(boxes, paths, query, found.data());
    return found;
  }
};

// How far box s of the query is from the nearest of the lane's, and the other way round.
double mine_to_theirs(const Scene& scene, std::size_t s, std::size_t lane) {
  double nearest = far_off;
  for (const GridBoxes& boxes : scene.boxes.stretch) {
    nearest = std::min(nearest, apart(plain(scene.query.stretch[s]), plain(boxes, lane)));
  }
  return nearest;
}
double theirs_to_mine(const Scene& scene, std::size_t t, std::size_t lane) {
  double nearest = far_off;
  for (const GridBox& box : scene.query.stretch) {
    nearest = std::min(nearest, apart(plain(box), plain(scene.boxes.stretch[t], lane)));
  }
  return nearest;
}

double plain_sspd(const Scene& scene, std::size_t lane) {
  const auto& [boxes, paths, query] = scene;
  double mine = 0, theirs = 0;
  for (std::size_t s = 0; s < stretches; ++s) {
    double my_nearest = far_off, their_nearest = far_off;
    for (std::size_t t = 0; t < stretches; ++t) {
      my_nearest = std::min(my_nearest, apart(plain(query.stretch[s]), plain(paths.part[t], lane)));
      their_nearest =
          std::min(their_nearest, apart(plain(boxes.stretch[s], lane), plain(query.part[t])));
    }
    mine += my_nearest * query.count[s];
    theirs += their_nearest * scene.count(s, lane);
  }
  return (mine / query.points + theirs / paths.most_points[lane]) / 2 * query.scale;
}

double plain_matches(const Scene& scene, std::size_t lane, bool of_longer) {
  const auto& [boxes, paths, query] = scene;
  double mine = query.points, theirs = paths.most_points[lane];
  const double limit = std::sqrt(static_cast<double>(query.squared_epsilon));
  for (std::size_t s = 0; s < stretches; ++s) {
    if (mine_to_theirs(scene, s, lane) > limit) mine -= query.count[s];
    if (theirs_to_mine(scene, s, lane) > limit) theirs -= scene.count(s, lane);
  }
  const double matches = std::min(mine, theirs), least = paths.least_points[lane];
  const double whole =
      of_longer ? std::max<double>(query.points, least) : std::min<double>(query.points, least);
  return (whole - std::min(matches, whole)) / whole * (matches == 0 ? 1 : query.scale);
}

double farthest_corner(const PlainBox& box, double x, double y) {
  return std::hypot(std::max(x - box.low_x, box.high_x - x),
                    std::max(y - box.low_y, box.high_y - y));
}

struct ErpParts {
  double matched, more, less;
};

ErpParts plain_erp(const Scene& scene, std::size_t lane) {
  const auto& [boxes, paths, query] = scene;
  double mine = 0, theirs = 0, least_sum = 0, most_sum = 0, farthest = 0;
  double uncounted = paths.most_points[lane];
  for (std::size_t s = 0; s < stretches; ++s) {
    const double to_gap = std::sqrt(static_cast<double>(query.squared_to_gap[s]));
    mine += std::min(mine_to_theirs(scene, s, lane), to_gap) * query.count[s];
    const PlainBox box = plain(boxes.stretch[s], lane);
    const double their_gap = apart(plain(query.gap), box), count = scene.count(s, lane);
    theirs += std::min(theirs_to_mine(scene, s, lane), their_gap) * count;
    least_sum += their_gap * count;
    const double far = farthest_corner(box, query.gap_x, query.gap_y);
    most_sum += far * count;
    farthest = std::max(farthest, far);
    uncounted -= count;
  }
  most_sum += farthest * uncounted;
  return {std::max(mine, theirs) * query.scale, least_sum * query.scale - query.most_gap_sum,
          query.least_gap_sum - most_sum * query.upper_scale};
}

double plain_edwp(const Scene& scene, std::size_t lane) {
  const auto& [boxes, paths, query] = scene;
  if (query.length == 0) return 0;
  const double first = apart(plain(query.first), plain(boxes.first, lane));
  const double last = apart(plain(query.last), plain(boxes.last, lane));
  const double length = double{query.length} + paths.length[lane];
  const double sum = first + last, difference = std::abs(first - last);
  const double above = std::max(sum - length, 0.0), below = std::min(difference, length);
  return (sum * sum - above * above + below * below) / (2 * length) * query.scale;
}

Scene random_scene(Random& random, std::uint32_t side) {
  Scene scene;
  const auto box = [&] { return random_box(random, side); };
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    set_box(scene.boxes.first, lane, box());
    set_box(scene.boxes.last, lane, box());
    const std::size_t points = 1 + random.below(30);
    // Hulls know only a least and a most.
    const std::size_t more = random.chance(0.5) ? 0 : random.below(10);
    scene.paths.least_points[lane] = static_cast<float>(points);
    scene.paths.most_points[lane] = static_cast<float>(points + more);
    scene.paths.length[lane] = static_cast<float>(random.uniform(0, side));
    for (std::size_t s = 0; s < stretches; ++s) {
      set_box(scene.boxes.stretch[s], lane, box());
      set_box(scene.paths.part[s], lane, box());
      scene.boxes.inner[s][lane] = inner_points(points, s);
    }
  }
  StretchQuery& query = scene.query;
  const std::size_t points = 1 + random.below(30);
  query.first = box();
  query.last = box();
  query.gap = box();
  query.gap_x = static_cast<float>(query.gap.low & 0xffffu);
  query.gap_y = static_cast<float>(query.gap.low >> 16);
  for (std::size_t s = 0; s < stretches; ++s) {
    query.stretch[s] = box();
    query.part[s] = box();
    query.count[s] = inner_points(points, s);
    const double to_gap = apart(plain(query.stretch[s]), plain(query.gap));
    query.squared_to_gap[s] = static_cast<std::int32_t>(std::lround(to_gap * to_gap));
  }
  query.count[0] += 1;
  if (points > 1) query.count[stretches - 1] += 1;
  query.points = static_cast<float>(points);
  query.length = random.chance(0.1) ? 0.0F : static_cast<float>(random.uniform(0.1, side));
  query.scale = random.chance(0.5) ? 1.0F : 0.5F;
  query.squared_epsilon = static_cast<std::int32_t>(random.below(side * side / 4 + 1));
  query.least_gap_sum = static_cast<float>(random.uniform(0, 40 * side));
  query.most_gap_sum = query.least_gap_sum * 1.001F;
  query.upper_scale = query.scale * 1.25F;
  return scene;
}

TEST(StretchKernels, BoundsAreThoseOfPlainLoops) {
  on_every_target([] {
    Random random(8);
    for (int round = 0; round < 150; ++round) {
      const Scene scene = random_scene(random, round % 3 == 0 ? 6 : round % 3 == 1 ? 60 : 30'000);
      const auto sspd = scene.bounds(Measure::sspd), edr = scene.bounds(Measure::edr),
                 lcss = scene.bounds(Measure::lcss), erp = scene.bounds(Measure::erp),
                 edwp = scene.bounds(Measure::edwp);
      for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
        SCOPED_TRACE(testing::Message() << "round " << round << ", lane " << lane);
        const double s = plain_sspd(scene, lane);
        ASSERT_LE(sspd[lane], s * (1 + root_above));
        ASSERT_GE(sspd[lane], s * (1 - root_below));
        // Whole numbers, a quotient and a product: three roundings.
        const double d = plain_matches(scene, lane, true), l = plain_matches(scene, lane, false);
        ASSERT_NEAR(edr[lane], d, 2e-7);
        ASSERT_NEAR(lcss[lane], l, 2e-7);
        // Roots are exact here; a handful of roundings.
        const double w = plain_edwp(scene, lane);
        ASSERT_NEAR(edwp[lane], w, 1e-6 * w);
        const auto [matched, more, less] = plain_erp(scene, lane);
        const double e = std::max({matched, more, less}), gaps = scene.query.most_gap_sum;
        ASSERT_LE(erp[lane], e + root_below * (e + gaps) + 1e-3);
        ASSERT_GE(erp[lane], e - root_below * (e + gaps) - 1e-3);
      }
    }
  });
}

// A match at a distance of epsilon itself counts; of one more does not.
TEST(StretchKernels, MatchesUpToEpsilon) {
  Scene scene;
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    scene.paths.least_points[lane] = scene.paths.most_points[lane] = 8;
    for (std::size_t s = 0; s < stretches; ++s) {
      set_box(scene.boxes.stretch[s], lane, grid_box(0, 100, 1, 101));
      scene.boxes.inner[s][lane] = inner_points(8, s);
    }
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    // Half of them are 5 away, the others 1,000.
    scene.query.stretch[s] = s < 4 ? grid_box(4, 105, 4, 105) : grid_box(1001, 101, 1001, 101);
    scene.query.count[s] = 1;
  }
  scene.query.points = 8;
  scene.query.scale = 0.5F;
  on_every_target([&] {
    for (const Measure measure : {Measure::edr, Measure::lcss}) {
      scene.query.squared_epsilon = 25;
      EXPECT_EQ(scene.bounds(measure)[9], 0.25F) << "half may match, and the scale halves";
      scene.query.squared_epsilon = 24;
      EXPECT_EQ(scene.bounds(measure)[9], 1) << "nothing may match: no scale";
      scene.query.squared_epsilon = 1'000'000;
      EXPECT_EQ(scene.bounds(measure)[9], 0);
      scene.query.squared_epsilon = 999'999;
      EXPECT_EQ(scene.bounds(measure)[9], 0.25F);
    }
  });
}

// The longer counts for edr, the shorter for lcss.
TEST(StretchKernels, SharesAreOfTheLongerOrTheShorter) {
  Scene scene;
  scene.query.points = 2;
  scene.query.count[0] = scene.query.count[7] = 1;
  scene.query.scale = 1;
  for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
    scene.paths.least_points[lane] = scene.paths.most_points[lane] = 8;
    for (std::size_t s = 0; s < stretches; ++s) scene.boxes.inner[s][lane] = inner_points(8, s);
  }
  on_every_target([&] {
    EXPECT_EQ(scene.bounds(Measure::edr)[0], 0.75F) << "two of eight";
    EXPECT_EQ(scene.bounds(Measure::lcss)[0], 0) << "two of two";
  });
}

// The first are 30 apart and the last 50, on the way of 200 and of 40: (30² + 50²) / 200, and
// (80² - 40² + 20²) / 80.
TEST(StretchKernels, EdwpByHand) {
  Scene scene;
  scene.query.first = grid_box(0, 0, 1, 1);
  scene.query.last = grid_box(100, 0, 101, 1);
  scene.query.length = 25;
  scene.query.scale = 1;
  set_box(scene.boxes.first, 2, grid_box(31, 0, 32, 1));
  set_box(scene.boxes.last, 2, grid_box(131, 41, 140, 50));
  scene.paths.length[2] = 175;
  set_box(scene.boxes.first, 3, grid_box(31, 0, 32, 1));
  set_box(scene.boxes.last, 3, grid_box(131, 41, 140, 50));
  scene.paths.length[3] = 15;
  on_every_target([&] {
    const auto found = scene.bounds(Measure::edwp);
    EXPECT_NEAR(found[2], (900 + 2500) / 200.0, 1e-5);
    EXPECT_NEAR(found[3], (6400 - 1600 + 400) / 80.0, 1e-4);
  });
}

// The sums of distances from the gap point cancel where trips are equal. Where that point is far,
// an error of the roots in the upper sum is more than the boxes leave.
TEST(StretchKernels, ErpOfEqualTripsFarFromTheGapHasABoundOfZero) {
  Random random(10);
  constexpr std::size_t length = 5;
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  const auto add_trip = [&](const Planar& place) {
    points.insert(points.end(), length, place);
    offsets.push_back(points.size());
  };
  add_trip({-1000, -1000});
  add_trip({1000, 1000});
  while (offsets.size() <= 200) add_trip({random.uniform(-1000, 0), random.uniform(-1000, 0)});
  const PlanarSet base(points, offsets);
  const SearchTables tables = SearchTables::of(base);
  const auto index = LowerBounds::of(Measure::erp, tables, {.gap = {990, 990}});
  on_every_target([&] {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const auto all = index->for_query(base[i], {})->take_smallest(base.size());
      ASSERT_EQ(all.size(), base.size());
      const auto own =
          std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.index == i; });
      ASSERT_NE(own, all.end());
      ASSERT_LE(own->bound, 0) << i;
    }
  });
}

// Points in the boxes' order, by the table of the measure in plain loops.
double plain_table(const StretchAlignment& call, std::size_t lane, bool matches) {
  std::array<double, stretches> state{};
  for (std::size_t i = 0; i < call.count; ++i) {
    for (std::size_t s = 0; s < stretches; ++s) {
      const double d = apart(plain(call.stretch[s], lane), call.x[i], call.y[i]);
      if (matches) {
        state[s] += d * d <= call.squared_epsilon ? 1 : 0;
        if (s > 0) state[s] = std::max(state[s], state[s - 1]);
      } else {
        state[s] += std::min(d, double{call.to_gap[i]});
        if (s > 0) state[s] = std::min(state[s], state[s - 1]);
      }
    }
  }
  return state.back();
}

TEST(StretchKernels, AlignmentsAreThoseOfThePlainTable) {
  EXPECT_EQ(alignment_kernel(Measure::sspd), nullptr);
  EXPECT_EQ(alignment_kernel(Measure::edwp), nullptr);
  on_every_target([] {
    Random random(9);
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{8}, std::size_t{9}, std::size_t{33}}) {
      for (int round = 0; round < 20; ++round) {
        const std::uint32_t side = round % 2 == 0 ? 12 : 30'000;
        std::vector<float> x, y, to_gap;
        for (std::size_t i = 0; i < count; ++i) {
          x.push_back(static_cast<float>(random.below(side)));
          y.push_back(static_cast<float>(random.below(side)));
          to_gap.push_back(static_cast<float>(random.uniform(0, side)));
        }
        // Whole numbers: a square may be epsilon's itself.
        const auto reach = static_cast<float>(random.below(side / 2));
        StretchAlignment call{x.data(), y.data(), to_gap.data(), count, reach * reach, {}, {}};
        for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
          for (GridBoxes& boxes : call.stretch) set_box(boxes, lane, random_box(random, side));
        }
        for (const Measure measure : {Measure::erp, Measure::edr, Measure::lcss}) {
          alignment_kernel(measure)(call);
          for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
            const double truth = plain_table(call, lane, measure != Measure::erp);
            if (measure == Measure::erp) {
              ASSERT_LE(call.result[lane], truth * (1 + root_above));
              ASSERT_GE(call.result[lane], truth * (1 - root_below));
            } else if (side < 5000) {
              ASSERT_EQ(call.result[lane], truth) << count << ' ' << round;
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace tsmini
