// The kernels themselves, called as they are, on every SIMD target and in both precisions, where
// input is unkind: equal points, single points, segments of no length, points at the very epsilon,
// numbers of trips around that of lanes, and huge coordinates.
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "measure/allowed_error.h"
#include "measure/bounds.h"
#include "measure/every_target.h"
#include "measure/kernels.h"
#include "measure/naive.h"
#include "measure/packed_set.h"
#include "measure/rounding.h"
#include "measure/trajectories.h"
#include "simd/aligned_memory.h"

namespace tsmini {
namespace {

// What a kernel says of a query and each of the trips, whose coordinates are taken as they are.
template <class T>
std::vector<double> called(Measure measure, const Points& query, const std::vector<Points>& trips,
                           const MeasureSettings& settings) {
  const std::vector<std::span<const Planar>> spans(trips.begin(), trips.end());
  const std::span<const Planar> one(query);
  const std::size_t lanes = kernel_lanes<T>();
  const PackedSet<T> group(measure, settings, std::span<const std::span<const Planar>>(spans),
                           lanes, {});
  const PackedSet<T> row(measure, settings, std::span<const std::span<const Planar>>(&one, 1), 1,
                         {});
  const Heartbeat heartbeat;
  Pulse pulse(heartbeat);
  std::vector<double> found(trips.size(), -1);
  for (std::size_t g = 0; g < group.size(); ++g) {
    // Nothing is promised of what was there before.
    const std::size_t scratch = scratch_rows * group.group(g).length * lanes;
    auto memory = aligned_memory<T>(scratch + 2 * kernel_alignment);
    T* out = memory.get();
    T* column_wins = out + kernel_alignment;
    T* rest = column_wins + kernel_alignment;
    std::fill(out, rest + scratch, std::numeric_limits<T>::quiet_NaN());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      column_wins[lane] = group.group(g).lengths[lane] > query.size() ? 1 : 0;
    }
    kernel_for<T>(measure)({row.query(0), group.group(g),
                            static_cast<T>(settings.epsilon * settings.epsilon), column_wins, rest,
                            out, &pulse});
    for (std::size_t lane = 0; lane < group.members(g).size(); ++lane) {
      found[group.members(g)[lane]] = static_cast<double>(out[lane]);
    }
  }
  return found;
}

// How far a kernel may be from the twin, where coordinates and their squares are exact in T.
template <class T>
double allowed(Measure measure, double truth, double extent, std::size_t points) {
  if (!std::is_same_v<T, float>) return allowed_in_double(measure, truth, extent);
  // No pair here takes another way. A root of zero is up to 1e-18 (rounding.h), and edwp multiplies
  // it by lengths.
  if (measure == Measure::edwp) return 1e-5 * truth + 1e-18 * extent;
  return allowed_in_single(measure, truth, extent, points);
}

template <class T>
void expect_as_the_twin(Measure measure, const std::vector<Points>& queries,
                        const std::vector<Points>& trips, const MeasureSettings& settings) {
  double extent = 0;
  for (const Points& trip : trips) extent = std::max(extent, largest_coordinate(trip, {}));
  for (const Points& query : queries) {
    const std::vector<double> found = called<T>(measure, query, trips, settings);
    for (std::size_t i = 0; i < trips.size(); ++i) {
      SCOPED_TRACE(testing::Message() << name_of(measure) << ", " << sizeof(T) << " bytes, "
                                      << query.size() << " points × " << trips[i].size());
      ASSERT_TRUE(std::isfinite(found[i]));
      const double truth = distance(measure, query, trips[i], settings);
      if (measure == Measure::frechet_continuous) {
        // A lower bound.
        const double room = std::is_same_v<T, float> ? 30 * unit_roundoff : 1e-12;
        EXPECT_LE(found[i], truth + room * (truth + extent));
        continue;
      }
      EXPECT_NEAR(found[i], truth,
                  allowed<T>(measure, truth, extent, query.size() + trips[i].size()));
    }
  }
}

void expect_as_the_twin(const std::vector<Points>& queries, const std::vector<Points>& trips,
                        double scale = 1) {
  on_every_target([&] {
    for (const Measure measure : all_measures) {
      if (measure == Measure::edwp && (queries[0].size() < 2 || trips[0].size() < 2)) continue;
      const MeasureSettings settings{.epsilon = 5 * scale, .gap = {3 * scale, -4 * scale}};
      expect_as_the_twin<float>(measure, queries, trips, settings);
      expect_as_the_twin<double>(measure, queries, trips, settings);
    }
  });
}

TEST(DirectKernels, EqualPoints) {
  const Points here(7, {3, 4}), there(5, {6, 8});
  expect_as_the_twin({here}, {here, there, Points(2, {3, 4})});
  expect_as_the_twin({{{3, 4}}}, {{{3, 4}}, here, there});
}

TEST(DirectKernels, SinglePoints) {
  expect_as_the_twin({{{0, 0}}}, {{{3, 4}}, {{0, 0}}, {{0, 0}, {6, 8}, {3, 4}}, {{-8, 6}}});
  expect_as_the_twin({{{0, 0}, {6, 8}, {12, 16}}}, {{{3, 4}}, {{6, 8}}, {{6, 0}}});
}

TEST(DirectKernels, SegmentsOfNoLength) {
  expect_as_the_twin({{{0, 0}, {0, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 16}}},
                     {{{0, 3}, {8, 3}, {8, 3}},
                      {{4, 4}, {4, 4}},
                      {{0, 0}, {8, 0}, {8, 16}},
                      {{8, 16}, {8, 16}, {0, 0}, {0, 0}}});
}

// Whole numbers, 5 apart: epsilon itself. One unit more is beyond.
TEST(DirectKernels, PointsAtTheVeryEpsilon) {
  const Points query{{0, 0}, {100, 0}, {200, 0}, {300, 0}};
  const std::vector<Points> trips{{{3, 4}, {100, -5}, {204, 3}, {295, 0}},
                                  {{3, 5}, {100, -5}, {204, 3}, {295, 0}},
                                  {{4, 4}, {100, -6}, {205, 1}, {294, 0}}};
  on_every_target([&] {
    for (const Measure measure : {Measure::edr, Measure::lcss}) {
      const std::vector<double> wanted{0, 0.25, 1};
      EXPECT_EQ(called<float>(measure, query, trips, {.epsilon = 5}), wanted);
      EXPECT_EQ(called<double>(measure, query, trips, {.epsilon = 5}), wanted);
    }
  });
}

// One less, as many, and one more than there are lanes; and queries of every length around the
// blocks of rows that kernels take.
TEST(DirectKernels, LengthsAndNumbersAroundTheLanes) {
  std::vector<Points> queries, all;
  for (std::size_t length = 2; length <= 9; ++length) {
    queries.push_back(random_points(length, length, Style::lattice));
  }
  for (std::size_t i = 0; i < 33; ++i) {
    all.push_back(random_points(2 + i % 5, 70 + i, Style::lattice));
  }
  for (const std::size_t lanes : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8},
                                  std::size_t{16}, std::size_t{32}}) {
    for (const std::size_t count : {lanes - 1, lanes, lanes + 1}) {
      if (count == 0) continue;
      on_every_target([&] {
        for (const Measure measure : all_measures) {
          const std::vector<Points> trips(all.begin(),
                                          all.begin() + static_cast<std::ptrdiff_t>(count));
          const MeasureSettings settings = settings_for(measure);
          expect_as_the_twin<double>(measure, queries, trips, settings);
          // Ties of edwp are not exact in single precision.
          if (measure == Measure::edwp) continue;
          expect_as_the_twin<float>(measure, queries, trips, settings);
        }
      });
    }
  }
}

// As far out as single precision is used, where squares are all but beyond it.
TEST(DirectKernels, HugeCoordinates) {
  const auto at = [](double scale) {
    std::vector<Points> trips;
    for (const Points& trip : {Points{{0, 0}, {1, 0}, {1, 1}}, Points{{-1, -1}, {1, 1}},
                               Points{{0, 1}, {0, 1}, {-1, 0}, {1, 0}}}) {
      trips.push_back(trip);
      for (Planar& p : trips.back()) p = {p.x * scale, p.y * scale};
    }
    return trips;
  };
  const double huge = std::ldexp(1, 49);  // 5.6e14
  expect_as_the_twin(at(huge), at(huge), huge / 8);
  on_every_target([&] {
    for (const Measure measure : all_measures) {
      const double beyond = std::ldexp(1, 300);
      expect_as_the_twin<double>(measure, at(beyond), at(beyond),
                                 {.epsilon = beyond / 8, .gap = {beyond, 0}});
    }
  });
}

// What the kernel of frechet-continuous says is no more than the distance, and is it where no
// monotony is asked for.
TEST(DirectKernels, ContinuousFrechetIsBoundedByWhatItPasses) {
  const Points low{{0, 0}, {10, 0}, {20, 0}}, high{{0, 5}, {20, 5}};
  // Back and forth on the other's segment: 4 are needed, each cell by itself asks for less.
  const Points back{{0, 0}, {14, 0}, {6, 0}, {20, 0}}, straight{{0, 0}, {20, 0}};
  on_every_target([&] {
    EXPECT_EQ(called<double>(Measure::frechet_continuous, low, {high}, {})[0], 5);
    EXPECT_EQ(called<float>(Measure::frechet_continuous, low, {high}, {})[0], 5);
    // The foot at 14 is rounded.
    EXPECT_NEAR(called<double>(Measure::frechet_continuous, back, {straight}, {})[0], 0, 4e-15);
    EXPECT_EQ(called<double>(Measure::frechet_continuous, low, {{{3, 4}, {20, 0}}}, {})[0], 5)
        << "the first points";
    EXPECT_EQ(called<double>(Measure::frechet_continuous, low, {{{0, 0}, {23, 4}}}, {})[0], 5)
        << "the last points";
  });
  EXPECT_NEAR(naive_frechet_continuous(back, straight), 4, 1e-11);
}

// Numbers that can be worked out: what every kernel says, to the last digit of double precision.
TEST(DirectKernels, ByHand) {
  const Points p{{0, 0}, {3, 0}, {3, 0}}, q{{0, 4}, {3, 4}};
  const MeasureSettings settings{.epsilon = 4, .gap = {0, 0}};
  const auto say = [&](Measure measure) {
    const double found = called<double>(measure, p, {q}, settings)[0];
    // What the emulated root errs, and five points.
    EXPECT_NEAR(called<float>(measure, p, {q}, settings)[0], found, 105 * unit_roundoff * found)
        << name_of(measure);
    return found;
  };
  on_every_target([&] {
    EXPECT_EQ(say(Measure::dtw), 12);
    EXPECT_EQ(say(Measure::frechet), 4);
    EXPECT_EQ(say(Measure::hausdorff), 4);
    EXPECT_EQ(say(Measure::hausdorff_segment), 4);
    EXPECT_EQ(say(Measure::sspd), 4);
    EXPECT_EQ(say(Measure::erp), 9) << "the first is left to the gap point, where it lies";
    EXPECT_EQ(say(Measure::edr), 1.0 / 3);
    EXPECT_EQ(say(Measure::lcss), 0);
    EXPECT_EQ(say(Measure::edwp), 8) << "(4 + 4) (3 + 3) / 6 and nothing for the rest";
  });
}

}  // namespace
}  // namespace tsmini
