// No bound may exceed its distance, and where a bound is the distance, it must say so: a bound that
// is too large by a hundredth fails here.
#include "measure/bounds.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "base/random.h"
#include "measure/search_tables.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

// With epsilons from far below the step of a walk to far beyond it, and gap points within the base,
// at its edge and outside.
std::vector<MeasureSettings> settings_of(Measure measure) {
  switch (measure) {
    case Measure::edr:
    case Measure::lcss: return {{.epsilon = 0.5}, {.epsilon = 4}, {.epsilon = 20.25}};
    case Measure::erp: return {{.gap = {3, -4}}, {.gap = {60, 150}}, {.gap = {-5e4, 2e5}}};
    default: return {{}};
  }
}

// With the tables that they stand on.
struct BoundsOf {
  std::unique_ptr<const SearchTables> tables;
  std::unique_ptr<const LowerBounds> bounds;

  const LowerBounds* operator->() const { return bounds.get(); }
};

BoundsOf bounds_of(Measure measure, const PlanarSet& base, const MeasureSettings& settings = {}) {
  auto tables = std::make_unique<const SearchTables>(SearchTables::of(base));
  auto bounds = LowerBounds::of(measure, *tables, settings);
  return {std::move(tables), std::move(bounds)};
}

// Bounds of every kind: those of whole blocks are seen where a limit discards too much.
void expect_below_the_truth(Measure measure, const MeasureSettings& settings, const PlanarSet& base,
                            const Points& query) {
  const auto index = bounds_of(measure, base, settings);
  std::vector<double> truth, sorted;
  for (std::size_t i = 0; i < base.size(); ++i) {
    truth.push_back(distance(measure, query, base[i], settings));
  }
  const auto all = index->for_query(query, {})->take_smallest(base.size());
  EXPECT_EQ(all.size(), base.size());
  for (const Candidate& c : all) EXPECT_LE(c.bound, truth[c.index]) << name_of(measure);
  sorted = truth;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t rank = 0; rank < sorted.size(); rank += 30) {
    const auto limit = std::nextafter(static_cast<float>(sorted[rank]), 1e30f);
    const auto found = index->for_query(query, {})->take_within(limit);
    std::size_t near = 0;
    for (const Candidate& c : found) {
      EXPECT_LE(c.bound, truth[c.index]) << name_of(measure);
      if (truth[c.index] <= sorted[rank]) ++near;
    }
    EXPECT_GE(near, rank + 1) << name_of(measure);
  }
}

class BoundsTest : public testing::TestWithParam<Measure> {};

TEST_P(BoundsTest, StayBelowTheTruth) {
  const std::size_t shortest = GetParam() == Measure::edwp ? 2 : 1;
  for (const Style style : {Style::smooth, Style::lattice, Style::far}) {
    const PlanarSet base = set_of(mixed(GetParam(), 200, 80, 7, style));
    for (const MeasureSettings& settings : settings_of(GetParam())) {
      for (std::uint64_t q = 0; q < 12; ++q) {
        expect_below_the_truth(GetParam(), settings, base,
                               random_points(shortest + 8 * q, 900 + q, style));
      }
    }
  }
}

TEST_P(BoundsTest, StayBelowTheTruthOnEveryTarget) {
  const std::string before(simd_target());
  const PlanarSet base = set_of(mixed(GetParam(), 60, 40, 17, Style::lattice));
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (const MeasureSettings& settings : settings_of(GetParam())) {
      for (std::uint64_t q = 0; q < 5; ++q) {
        expect_below_the_truth(GetParam(), settings, base,
                               random_points(2 + 9 * q, 600 + q, Style::lattice));
      }
    }
  }
  force_simd_target(before);
}

TEST_P(BoundsTest, StayBelowTheTruthForShortOnesAndOutside) {
  const std::size_t shortest = GetParam() == Measure::edwp ? 2 : 1;
  const PlanarSet base = set_of(mixed(GetParam(), 100, 10, 11));
  for (const MeasureSettings& settings : settings_of(GetParam())) {
    for (const Style style : {Style::smooth, Style::far}) {
      for (std::uint64_t q = 0; q < 10; ++q) {
        const Points query = random_points(shortest + q, 300 + q, style);
        const auto index = bounds_of(GetParam(), base, settings);
        const auto found =
            index->for_query(query, [](std::size_t i) { return i != 5; })->take_within(1e30f);
        EXPECT_EQ(found.size(), base.size() - 1);
        for (const Candidate& c : found) {
          EXPECT_LE(c.bound, distance(GetParam(), query, base[c.index], settings));
          EXPECT_NE(c.index, 5u);
        }
      }
    }
  }
}

// Stops, jitter, spikes, and hops as long as the rest: where edwp cuts off the polylines, and where
// the first and the last points decide.
Points restless_points(Random& random) {
  const double size = std::pow(10, random.uniform(-1, 2));
  const Planar centre{random.uniform(-50, 50), random.uniform(-50, 50)};
  Points points{centre};
  const std::size_t length = 2 + random.below(14);
  while (points.size() < length) {
    const Planar p = points.back();
    switch (random.below(5)) {
      case 0: points.push_back(p); break;
      case 1: points.push_back({p.x + 0.01 * size * random.normal(), p.y}); break;
      case 2:
        points.push_back({p.x + size * random.normal(), p.y + size * random.normal()});
        points.push_back(p);
        break;
      case 3: points.push_back(points[random.below(points.size())]); break;
      default: points.push_back({p.x + 0.2 * size * random.normal(), p.y + 0.2 * size}); break;
    }
  }
  return points;
}

TEST_P(BoundsTest, StayBelowTheTruthOfRestlessOnes) {
  Random random(31);
  for (std::size_t round = 0; round < 60; ++round) {
    std::vector<Points> trips;
    for (std::size_t i = 0; i < 40; ++i) trips.push_back(restless_points(random));
    // Some pass where others do.
    for (std::size_t i = 1; i < trips.size(); i += 3) {
      trips[i].insert(trips[i].end(), trips[i - 1].begin(), trips[i - 1].end());
    }
    const PlanarSet base = set_of(trips);
    for (const MeasureSettings& settings : settings_of(GetParam())) {
      for (std::size_t q = 0; q < 3; ++q) {
        const Points query = q == 0 ? restless_points(random) : trips[random.below(trips.size())];
        expect_below_the_truth(GetParam(), settings, base, query);
      }
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// Five trajectories more than two nodes of hulls of hulls hold: the last of each level has but some
// lanes.
TEST_P(BoundsTest, StayBelowTheTruthOnEveryLevel) {
  const PlanarSet base = set_of(mixed(GetParam(), 2 * 4096 + 5, 6, 19, Style::lattice));
  const MeasureSettings settings = settings_of(GetParam()).front();
  for (std::uint64_t q = 0; q < 2; ++q) {
    const Points query = random_points(4 + 3 * q, 700 + q, Style::lattice);
    expect_below_the_truth(GetParam(), settings, base, query);
  }
}

TEST_P(BoundsTest, GiveNothingTwice) {
  const PlanarSet base = set_of(mixed(GetParam(), 100, 30, 12));
  const auto index = bounds_of(GetParam(), base, settings_for(GetParam()));
  const Points query = random_points(20, 13);
  const auto bounds = index->for_query(query, {});
  std::vector<std::size_t> indices;
  for (const Candidate& c : bounds->take_smallest(40)) indices.push_back(c.index);
  for (const Candidate& c : bounds->take_within(1e30f)) indices.push_back(c.index);
  std::sort(indices.begin(), indices.end());
  EXPECT_EQ(indices.size(), base.size());
  EXPECT_EQ(std::unique(indices.begin(), indices.end()), indices.end());
}

INSTANTIATE_TEST_SUITE_P(Measures, BoundsTest, testing::ValuesIn(all_measures),
                         [](const auto& param) {
                           std::string name(name_of(param.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Pairs whose distance their bound is.
struct Pair {
  Measure measure;
  Points query, other;
  MeasureSettings settings = {};
};

class TightTest : public testing::TestWithParam<Pair> {};

TEST_P(TightTest, BoundsAreTheDistance) {
  const auto& [measure, query, other, settings] = GetParam();
  const double truth = distance(measure, query, other, settings);
  for (const auto& [p, q] : {std::pair(query, other), std::pair(other, query)}) {
    const PlanarSet base = set_of({p, q, {{-120, -120}, {120, 120}}});
    const auto index = bounds_of(measure, base, settings);
    std::size_t seen = 0;
    for (const Candidate& c : index->for_query(p, {})->take_within(1e30f)) {
      if (c.index != 1) continue;
      ++seen;
      EXPECT_LE(c.bound, truth);
      EXPECT_GE(c.bound, 0.99 * truth);
    }
    EXPECT_EQ(seen, 1u);
  }
}

const Points low{{0, 0}, {10, 0}, {20, 0}}, high{{0, 10}, {10, 10}, {20, 10}};
const Points lone{{0, 0}}, other_lone{{10, 0}};

INSTANTIATE_TEST_SUITE_P(
    Pairs, TightTest,
    testing::Values(
        Pair{Measure::sspd, low, high}, Pair{Measure::sspd, lone, other_lone},
        Pair{Measure::sspd, low, {{20, 10}, {0, 10}}},
        // All matched; all left to the gap point; what one has more, left to it.
        Pair{Measure::erp, low, high, {.gap = {100, 100}}},
        Pair{Measure::erp, {{0, 1}}, {{0, 100}}, {.gap = {0, 0}}},
        Pair{Measure::erp, {{50, 0}, {50, 0}}, {{50, 0}, {50, 0}, {50, 0}}, {.gap = {0, 0}}},
        Pair{Measure::erp, {{50, 0}}, {{50, 0}, {50, 0}}, {.gap = {-100, 0}}},
        // Nothing matches; half of the longer does.
        Pair{Measure::edr, low, high, {.epsilon = 9.99}},
        Pair{Measure::edr,
             low,
             {{0, 0}, {5, 9}, {10, 0}, {15, 9}, {20, 0}, {25, 9}},
             {.epsilon = 1}},
        Pair{Measure::lcss, low, high, {.epsilon = 9.99}},
        Pair{Measure::lcss, low, {{0, 0}, {10, 9}, {20, 0}}, {.epsilon = 1}},
        // One walks up to the other's place; both walk, apart, and towards each other; each for
        // less than what lies between them.
        Pair{Measure::edwp, {{0, 0}, {10, 0}}, {{10, 0}, {10, 1e-6}}},
        Pair{Measure::edwp, {{0, 0}, {50, 0}}, {{100, 0}, {50, 0}}},
        Pair{Measure::edwp, {{0, 0}, {1, 0}}, {{100, 0}, {99, 0}}},
        Pair{Measure::edwp, {{0, 0}, {0.01, 0}}, {{100, 0}, {100.01, 0}}}));

// A match at a distance of epsilon itself is one.
TEST(Bounds, CountMatchesAtEpsilon) {
  for (const Measure measure : {Measure::edr, Measure::lcss}) {
    for (const double epsilon : {10.0, 0.1, 1.0 / 3, 1e-3}) {
      const Points query{{0, 0}, {1000, 700}}, other{{0, epsilon}, {1000, 700 + epsilon}};
      const MeasureSettings settings{.epsilon = epsilon};
      const auto index = bounds_of(measure, set_of({other}), settings);
      const auto found = index->for_query(query, {})->take_within(1);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_LE(found[0].bound, distance(measure, query, other, settings));
    }
  }
}

// The first points are as far apart as the last, nothing has a length: edwp says 0.
TEST(Bounds, OfStandingOnesAreZeroForEdwp) {
  const Points here{{20, 0}, {20, 0}}, there{{100, 0}, {100, 0}}, moving{{100, -100}, {100, 100}};
  const auto index = bounds_of(Measure::edwp, set_of({there, moving}));
  ASSERT_EQ(distance(Measure::edwp, here, there), 0);
  const auto found = index->for_query(here, {})->take_within(0);
  EXPECT_TRUE(
      std::any_of(found.begin(), found.end(), [](const Candidate& c) { return c.index == 0; }));
}

// Why edwp has no bound by how far the polylines are apart: a spike of any height may cost nothing.
// Its way up is cut where the other trajectory stands, and there a cut is the spike's own point.
TEST(Bounds, OfPolylinesDoNotHoldForEdwp) {
  const Points straight{{0, 0}, {10, 0}, {20, 0}};
  for (const double height : {1.0, 100.0, 1e6}) {
    const Points spiked{{0, 0}, {10, 0}, {10, height}, {10, 0}, {20, 0}};
    EXPECT_EQ(distance(Measure::edwp, spiked, straight), 0);
    EXPECT_EQ(distance(Measure::hausdorff_segment, spiked, straight), height);
  }
}

}  // namespace
}  // namespace tsmini
