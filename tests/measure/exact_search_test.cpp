#include "tsmini/exact_search.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "measure/brute_force.h"
#include "measure/trajectories.h"
#include "support/sanitized.h"

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

TEST_P(ExactSearchTest, TheNearestWithinARadiusAndAnyOfThem) {
  for (const Style style : {Style::smooth, Style::lattice}) {
    const MeasureSettings settings = settings_for(GetParam());
    const PlanarSet base = set_of(mixed(GetParam(), 150, 60, 31, style));
    const ExactSearch search(GetParam(), base, settings);
    const PairEngine engine(GetParam(), base, settings, Precision::double_precision);
    for (const Points& query : mixed(GetParam(), 8, 60, 32, style)) {
      const auto all = brute_force(engine, query, base.size(), everywhere);
      for (const std::size_t place : {std::size_t{0}, std::size_t{5}, base.size() / 2}) {
        const double radius = all[place].distance;
        const auto within = brute_force(engine, query, base.size(), radius);
        EXPECT_EQ(search.nearest_within(query, radius, 0, {}), within);
        EXPECT_TRUE(search.some_within(query, radius, 0, {}).empty());
        for (const std::size_t k : {std::size_t{1}, std::size_t{7}, std::size_t{60}}) {
          EXPECT_EQ(search.nearest_within(query, radius, k, {}),
                    brute_force(engine, query, k, radius));
          const auto some = search.some_within(query, radius, k, {});
          EXPECT_EQ(some.size(), std::min(k, within.size()));
          for (const Neighbour& n : some) {
            EXPECT_NE(std::find(within.begin(), within.end(), n), within.end());
          }
        }
      }
    }
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

// Nothing of the base matches the query: all are at a distance of 1, of which the first are the
// answer.
TEST(ExactSearch, OfManyTiesOnlyTheFirstAreComputed) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 500; ++i) trips.push_back(random_points(1 + i % 30, i));
  trips.push_back({{-6000, -6000}, {6000, 6000}});  // no edge is near the query
  const PlanarSet base = set_of(trips);
  const Points query{{5000, 5000}, {5010, 5000}, {5020, 5000}};
  for (const Measure measure : {Measure::edr, Measure::lcss}) {
    const MeasureSettings settings{.epsilon = 3};
    const PairEngine engine(measure, base, settings, Precision::double_precision);
    SearchWork work;
    EXPECT_EQ(ExactSearch(measure, base, settings).nearest(query, 10, ExactSearch::nothing, &work),
              brute_force(engine, query, 10, everywhere));
    EXPECT_LE(work.pairs, 64u);
  }
}

// Hundreds of queries on trips that look like real ones.
TEST(ExactSearch, EqualsBruteForceOverThousandsOfTrips) {
  DatasetBuilder builder;
  synthesize_city({.count = 3'000, .seed = 5}, [&](const Trajectory& t) { builder.add(t); });
  const Dataset data = builder.finish();
  const PlanarSet trips(data, Space::fit(SpaceKind::ground, data));
  for (const Measure measure : {Measure::frechet, Measure::dtw, Measure::hausdorff, Measure::edwp,
                                Measure::erp, Measure::edr, Measure::lcss, Measure::sspd}) {
    const MeasureSettings settings{.epsilon = 150};
    const ExactSearch search(measure, trips, settings);
    const PairEngine engine(measure, trips, settings, Precision::double_precision);
    SearchWork work;
    const bool is_slow = measure == Measure::edwp;
    const std::size_t queries = (is_slow ? 100U : 400U) / (sanitized ? 10U : 1U);
    for (std::size_t i = 0; i < queries; ++i) {
      ASSERT_EQ(search.nearest(trips[i], 10, i, &work),
                brute_force(engine, trips[i], 10, everywhere, i))
          << name_of(measure) << ' ' << i;
    }
    EXPECT_LT(work.pairs, 450 * queries) << name_of(measure);  // of three thousand each
  }
}

}  // namespace
}  // namespace tsmini
