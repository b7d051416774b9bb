#include "tsmini/knn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/pairs.h"

#include "measure/bounds.h"
#include "measure/brute_force.h"
#include "measure/search_tables.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

class ExactSearchTest : public testing::TestWithParam<Measure> {
 protected:
  void expect_equal_to_brute_force(const PlanarSet& base, const std::vector<Points>& queries) {
    const MeasureSettings settings = settings_for(GetParam());
    const ExactSearch search(GetParam(), base, settings);
    const PairEngine engine(GetParam(), base, settings, Precision::double_precision);
    for (const Points& query : queries) {
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}, base.size() + 5}) {
        EXPECT_EQ(search.nearest(query, k),
                  brute_force(engine, query, k, everywhere, ExactSearch::nothing));
      }
      const auto nearest = brute_force(engine, query, 7, everywhere, ExactSearch::nothing);
      const std::size_t first = nearest.front().index;
      EXPECT_EQ(search.nearest(query, 5, first), brute_force(engine, query, 5, everywhere, first));
      const double radius = nearest.back().distance;
      EXPECT_EQ(search.within(query, radius),
                brute_force(engine, query, base.size(), radius, ExactSearch::nothing));
    }
  }
};

TEST_P(ExactSearchTest, EqualsBruteForce) {
  for (const Style style : {Style::smooth, Style::lattice, Style::far}) {
    const PlanarSet base = set_of(mixed(GetParam(), 150, 60, 1, style));
    expect_equal_to_brute_force(base, mixed(GetParam(), 8, 60, 2, style));
  }
}

// Whatever is guessed, the answer is the same.
TEST_P(ExactSearchTest, CandidatesChangeNothing) {
  for (const Style style : {Style::smooth, Style::lattice}) {
    const PlanarSet base = set_of(mixed(GetParam(), 120, 50, 21, style));
    const ExactSearch search(GetParam(), base, settings_for(GetParam()));
    for (const Points& query : mixed(GetParam(), 5, 50, 22, style)) {
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}, base.size() + 5}) {
        const auto answers = search.nearest(query, k);
        std::vector<std::size_t> right, all, wrong{119, 3, 3, 119, 70, 3, 1'000'000, 5};
        for (const Neighbour& n : answers) right.push_back(n.index);
        for (std::size_t i = base.size(); i-- > 0;) all.push_back(i);
        std::vector<std::size_t> half(all.begin(), all.begin() + 60);
        for (const auto& guess : {std::vector<std::size_t>(), right, all, wrong, half}) {
          EXPECT_EQ(search.nearest(query, k, {.candidates = guess}), answers);
        }
      }
    }
  }
}

TEST_P(ExactSearchTest, OnlyAllowedOnesAreAnswers) {
  const PlanarSet base = set_of(mixed(GetParam(), 120, 50, 23));
  const ExactSearch search(GetParam(), base, settings_for(GetParam()));
  for (const Points& query : mixed(GetParam(), 5, 50, 24)) {
    const auto all = search.nearest(query, base.size());
    for (const std::size_t step :
         {std::size_t{1}, std::size_t{2}, std::size_t{50}, base.size() + 1}) {
      const auto allowed = [step](std::size_t i) { return i % step == step - 1; };
      std::vector<Neighbour> wanted;
      for (const Neighbour& n : all) {
        if (allowed(n.index) && wanted.size() < 10) wanted.push_back(n);
      }
      const std::vector<std::size_t> guess{all[0].index, all[1].index, 1, 49, 99, 3};
      EXPECT_EQ(search.nearest(query, 10, {.allowed = allowed}), wanted);
      EXPECT_EQ(search.nearest(query, 10, {.allowed = allowed, .candidates = guess}), wanted);
    }
  }
}

TEST_P(ExactSearchTest, EqualsBruteForceOnEveryTarget) {
  const std::string before(simd_target());
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    const PlanarSet base = set_of(mixed(GetParam(), 70, 40, 3));
    expect_equal_to_brute_force(base, mixed(GetParam(), 3, 40, 4));
  }
  force_simd_target(before);
}

TEST_P(ExactSearchTest, WorksForTinyBases) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{17}}) {
    const PlanarSet base = set_of(mixed(GetParam(), size, 20, 5));
    const ExactSearch search(GetParam(), base, settings_for(GetParam()));
    const Points query = random_points(10, 6);
    EXPECT_EQ(search.nearest(query, 3).size(), std::min<std::size_t>(size, 3));
    EXPECT_TRUE(search.nearest(query, 0).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, ExactSearchTest, testing::ValuesIn(all_measures),
                         [](const auto& param) {
                           std::string name(name_of(param.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A thousand queries on trips that look like real ones.
TEST(ExactSearch, EqualsBruteForceOverAThousandTrips) {
  DatasetBuilder builder;
  synthesize_city({.count = 3'000, .seed = 5}, [&](const Trajectory& t) { builder.add(t); });
  const Dataset data = builder.finish();
  const PlanarSet trips(data, Space::fit(SpaceKind::ground, data));
  for (const Measure measure : {Measure::frechet, Measure::dtw, Measure::hausdorff}) {
    const ExactSearch search(measure, trips);
    const PairEngine engine(measure, trips, {}, Precision::double_precision);
    SearchWork work;
    for (std::size_t i = 0; i < 1'000; ++i) {
      ASSERT_EQ(search.nearest(trips[i], 10, i, &work),
                brute_force(engine, trips[i], 10, everywhere, i))
          << name_of(measure) << ' ' << i;
    }
    EXPECT_LT(work.single, 300'000u) << name_of(measure);  // of three million
  }
}

class BoundsTest : public testing::TestWithParam<Style> {
 protected:
  // Bounds of every kind: those of whole blocks are seen where a limit discards too much.
  static void expect_below_the_truth(Measure measure, const PlanarSet& base, const Points& query) {
    const SearchTables tables = SearchTables::of(base);
    const auto index = LowerBounds::of(measure, tables);
    std::vector<double> truth, sorted;
    for (std::size_t i = 0; i < base.size(); ++i) {
      truth.push_back(distance(measure, query, base[i]));
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
};

TEST_P(BoundsTest, StayBelowTheTruth) {
  const PlanarSet base = set_of(mixed(Measure::dtw, 200, 80, 7, GetParam()));
  for (const Measure measure : {Measure::dtw, Measure::hausdorff, Measure::hausdorff_segment,
                                Measure::frechet, Measure::frechet_continuous}) {
    for (std::uint64_t q = 0; q < 20; ++q) {
      expect_below_the_truth(measure, base, random_points(1 + 5 * q, 900 + q, GetParam()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Styles, BoundsTest,
                         testing::Values(Style::smooth, Style::lattice, Style::far));

TEST(Bounds, StayBelowTheTruthForShortOnesAndOutside) {
  const PlanarSet base = set_of(mixed(Measure::dtw, 100, 10, 11));
  for (const Style style : {Style::smooth, Style::far}) {
    for (std::uint64_t q = 0; q < 10; ++q) {
      const Points query = random_points(1 + q, 300 + q, style);
      const SearchTables tables = SearchTables::of(base);
      const auto index = LowerBounds::of(Measure::dtw, tables);
      const auto found =
          index->for_query(query, [](std::size_t i) { return i != 5; })->take_within(1e30f);
      EXPECT_EQ(found.size(), base.size() - 1);
      for (const Candidate& c : found) {
        EXPECT_LE(c.bound, distance(Measure::dtw, query, base[c.index]));
        EXPECT_NE(c.index, 5u);
      }
    }
  }
}

TEST(Bounds, GiveNothingTwice) {
  const PlanarSet base = set_of(mixed(Measure::dtw, 100, 30, 12));
  const SearchTables tables = SearchTables::of(base);
  const auto index = LowerBounds::of(Measure::dtw, tables);
  const Points query = random_points(20, 13);
  const auto bounds = index->for_query(query, {});
  std::vector<std::size_t> indices;
  for (const Candidate& c : bounds->take_smallest(40)) indices.push_back(c.index);
  for (const Candidate& c : bounds->take_within(1e30f)) indices.push_back(c.index);
  std::sort(indices.begin(), indices.end());
  EXPECT_EQ(indices.size(), base.size());
  EXPECT_EQ(std::unique(indices.begin(), indices.end()), indices.end());
}

}  // namespace
}  // namespace tsmini
