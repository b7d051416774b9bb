#include "tsmini/clusters.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/density_clusters.h"

#include "analyse/trips.h"

namespace tsmini {
namespace {

class SummaryTest : public testing::TestWithParam<Measure> {};

TEST_P(SummaryTest, IsAsItsTwin) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    const Clusters clusters =
        dbscan(c.search, {.radius = c.distances.quantile(0.15), .min_points = 2}).clusters;
    const auto found = summarize(c.search, clusters);
    ASSERT_EQ(found.size(), clusters.count);
    for (std::size_t label = 0; label < found.size(); ++label) {
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (clusters.labels[i] == static_cast<std::int32_t>(label)) members.push_back(i);
      }
      const auto sum_from = [&](std::size_t i) {
        double sum = 0;
        for (const std::size_t j : members) sum += c.distances.at(i, j);
        return sum;
      };
      std::size_t medoid = members[0];
      for (const std::size_t i : members) {
        if (sum_from(i) < sum_from(medoid)) medoid = i;
      }
      std::vector<double> spread;
      for (const std::size_t i : members) {
        if (i != medoid) spread.push_back(c.distances.at(medoid, i));
      }
      std::sort(spread.begin(), spread.end());
      const std::size_t n = spread.size();
      EXPECT_EQ(found[label].size, members.size());
      EXPECT_EQ(found[label].medoid, medoid);
      EXPECT_EQ(found[label].medoid_sample, members.size());
      if (n == 0) continue;
      EXPECT_NEAR(found[label].farthest, spread.back(), 1e-9);
      EXPECT_NEAR(found[label].median, (spread[n / 2] + spread[(n - 1) / 2]) / 2, 1e-9);
      EXPECT_NEAR(found[label].mean, sum_from(medoid) / static_cast<double>(n), 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SummaryTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Summary, OfALargeClusterIsOfASample) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 900; ++i) trips.push_back(shaken({{0, 0}, {50, 0}}, 5, i));
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  const Clusters all{.labels = std::vector<std::int32_t>(900, 0), .count = 1, .noise_trips = 0};
  std::uint64_t done = 0;
  const auto found = summarize(
      search, all, {}, [&](const ProgressState& state) { done = std::max(done, state.done); });
  EXPECT_EQ(done, 900u);
  EXPECT_EQ(found[0].medoid_sample, 256u);
  const auto exact = summarize(search, all, {.most_compared = 900});
  EXPECT_EQ(exact[0].medoid_sample, 900u);
  EXPECT_LE(exact[0].mean, found[0].mean);
  EXPECT_LT(found[0].mean, exact[0].mean * 1.2);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const auto alone = summarize(search, all);
  EXPECT_EQ(alone[0].medoid, found[0].medoid);
  EXPECT_EQ(alone[0].mean, found[0].mean);
  EXPECT_THROW(
      summarize(search, all, {}, [](const ProgressState&) { throw std::runtime_error("stop"); }),
      std::runtime_error);
}

}  // namespace
}  // namespace tsmini
