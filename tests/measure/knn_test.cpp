#include "tsmini/knn.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/pairs.h"

#include "measure/bounds.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

constexpr double everywhere = std::numeric_limits<double>::infinity();

// Every distance in double precision, sorted.
std::vector<Neighbour> brute_force(const PairEngine& engine, std::span<const Planar> query,
                                   std::size_t k, double radius, std::size_t excluded) {
  std::vector<double> distances(engine.size());
  engine.one_to_many(query, std::span<double>(distances));
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i != excluded && distances[i] <= radius) all.push_back({i, distances[i]});
  }
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
  });
  all.resize(std::min(k, all.size()));
  return all;
}

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
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{17}}) {
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

TEST(Bounds, StayBelowTheTruth) {
  for (const Style style : {Style::smooth, Style::lattice, Style::far}) {
    const PlanarSet base = set_of(mixed(Measure::dtw, 200, 80, 7, style));
    const BoundIndex index(base, BoundIndex::For::sums);
    std::vector<float> reach(index.padded_size()), ends(index.padded_size()),
        sums(index.padded_size());
    constexpr float no_limit = std::numeric_limits<float>::max();
    for (std::uint64_t q = 0; q < 20; ++q) {
      const Points query = random_points(1 + 5 * q, 900 + q, style);
      const BoundQuery prepared = index.prepare(query);
      index.reach(prepared, false, reach);
      index.reach(prepared, true, ends);
      index.box_sums(prepared, sums);
      for (std::size_t place = 0; place < index.size(); ++place) {
        const auto other = base[index.trajectory(place)];
        const double dtw = distance(Measure::dtw, query, other);
        EXPECT_LE(reach[place], distance(Measure::hausdorff_segment, query, other));
        EXPECT_LE(reach[place], distance(Measure::hausdorff, query, other));
        EXPECT_LE(ends[place], distance(Measure::frechet_continuous, query, other));
        EXPECT_LE(sums[place], dtw);
        EXPECT_LE(index.refined(prepared, place, no_limit), dtw);
      }
    }
  }
}

}  // namespace
}  // namespace tsmini
