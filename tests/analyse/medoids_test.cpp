#include "tsmini/medoids.h"

#include <set>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "analyse/naive_labels.h"
#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

class MedoidsTest : public testing::TestWithParam<Measure> {};

TEST_P(MedoidsTest, EveryTripIsWithItsNearestMedoid) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const std::size_t k : {1u, 3u, 10u}) {
      const MedoidClusters found = k_medoids(c.search, {.k = k, .sample = 40});
      EXPECT_LE(found.medoids.size(), k);
      ASSERT_EQ(found.medoids.size(), found.clusters.count);
      expect_consistent(found.clusters);
      double sum = 0;
      std::size_t trips = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int32_t label = found.clusters.labels[i];
        EXPECT_EQ(label == noise, !c.distances.has(i));
        if (label == noise) continue;
        const double own = c.distances.at(i, found.medoids[static_cast<std::size_t>(label)]);
        for (const std::size_t medoid : found.medoids) EXPECT_LE(own, c.distances.at(i, medoid));
        sum += own;
        ++trips;
      }
      EXPECT_NEAR(found.mean * static_cast<double>(trips), sum, 1e-9 * (1 + sum));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MedoidsTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Medoids, FindWhatLiesTogether) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const double x = 1000.0 * static_cast<double>(i % 4);
    trips.push_back(shaken({{x, 0}, {x, 50}}, 5, i));
  }
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  const MedoidClusters found = k_medoids(search, {.k = 4, .sample = 60});
  EXPECT_EQ(found.sample, 60u);
  EXPECT_GE(found.work.pairs, 60u * 59 / 2 + 400);
  EXPECT_LE(found.work.pairs, 60u * 59 / 2 + 400 * 4);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    EXPECT_EQ(found.clusters.labels[i], static_cast<std::int32_t>(i % 4));
  }
  std::uint64_t done = 0, total = 0;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const auto alone = k_medoids(search, {.k = 4, .sample = 60}, [&](const ProgressState& state) {
    EXPECT_GE(state.done, done);
    done = state.done;
    total = state.total;
  });
  EXPECT_EQ(alone.clusters, found.clusters);
  EXPECT_EQ(alone.medoids, found.medoids);
  EXPECT_EQ(done, 60u * 59 / 2 + 400);
  EXPECT_EQ(total, done);
}

TEST(Medoids, StopAndRefuse) {
  const NeighbourSearch search(set_of(varied_trips(50, 8)), Measure::frechet);
  EXPECT_THROW(k_medoids(search, MedoidOptions(),
                         [](const ProgressState&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  expect_error(ErrorCode::usage, "number of clusters of 0", "at least 1",
               [&] { k_medoids(search, {.k = 0}); });
  expect_error(ErrorCode::usage, "sample of 9 is too few", "at least 10",
               [&] { k_medoids(search, {.k = 10, .sample = 9}); });
  expect_error(ErrorCode::usage, "sample of 9000 has too many", "at most 8192",
               [&] { k_medoids(search, {.k = 10, .sample = 9000}); });
}

}  // namespace
}  // namespace tsmini
