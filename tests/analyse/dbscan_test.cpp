#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/density_clusters.h"

#include "analyse/naive_labels.h"
#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

// As it is defined, from all distances.
struct NaiveDbscan {
  NaiveDbscan(const AllDistances& distances, const DbscanOptions& options)
      : core(distances.size()) {
    const std::size_t n = distances.size();
    const auto near = [&](double d) { return d <= options.radius; };
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t points = 0;
      for (std::size_t j = 0; j < n; ++j) points += near(distances.at(i, j)) ? 1u : 0u;
      core[i] = points >= options.min_points && distances.has(i) ? 1 : 0;
    }
    NamedClusters names(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
      if (core[i] == 0 || names[i] >= 0) continue;
      std::vector<std::size_t> open{i};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (names[at] >= 0) continue;
        names[at] = static_cast<int>(i);
        for (std::size_t j = 0; j < n; ++j) {
          if (core[j] != 0 && near(distances.pair(at, j))) open.push_back(j);
        }
      }
    }
    const NamedClusters of_core = names;
    for (std::size_t i = 0; i < n; ++i) {
      double nearest = options.radius;
      for (std::size_t j = n; core[i] == 0 && j-- > 0;) {
        if (core[j] == 0 || distances.at(i, j) > nearest) continue;
        nearest = distances.at(i, j);
        names[i] = of_core[j];
      }
    }
    labels = numbered(names);
  }

  std::vector<std::uint8_t> core;
  std::vector<std::int32_t> labels;
};

class DbscanTest : public testing::TestWithParam<Measure> {};

TEST_P(DbscanTest, IsAsItsTwin) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const double q : {0.0, 0.03, 0.1, 0.3, 1.0}) {
      for (const std::size_t min_points : {1u, 2u, 3u, 5u, 12u, 100u}) {
        const DbscanOptions options{.radius = c.distances.quantile(q), .min_points = min_points};
        const DensityClusters found = dbscan(c.search, options);
        const NaiveDbscan twin(c.distances, options);
        EXPECT_EQ(found.clusters.labels, twin.labels);
        EXPECT_EQ(found.core, twin.core);
        expect_consistent(found.clusters);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DbscanTest, testing::ValuesIn(all_measures), MeasureName());

// On a line, where one can see them.
std::vector<std::int32_t> on_a_line(const std::vector<double>& places,
                                    const DbscanOptions& options) {
  std::vector<Points> trips;
  for (const double x : places) trips.push_back({{x, 0}});
  return dbscan(NeighbourSearch(set_of(trips), Measure::frechet), options).clusters.labels;
}

TEST(Dbscan, ByHand) {
  using Labels = std::vector<std::int32_t>;
  EXPECT_EQ(on_a_line({0, 1, 2, 50, 10, 11, 12, 13}, {.radius = 1, .min_points = 3}),
            (Labels{1, 1, 1, -1, 0, 0, 0, 0}));
  // The trip in between is core of neither and nearer to the second.
  EXPECT_EQ(on_a_line({0, 1, 2, 5.1, 8, 9, 10}, {.radius = 3.5, .min_points = 4}),
            (Labels{1, 1, 1, 0, 0, 0, 0}));
}

TEST(Dbscan, ABorderTripBetweenTwoGoesToTheLowerIndex) {
  const std::vector<double> places{0, 1, 2, 6, 10, 11, 12, 12.5, 1.5};
  const auto labels = on_a_line(places, {.radius = 4, .min_points = 4});
  EXPECT_EQ(labels[3], labels[2]);
  EXPECT_NE(labels[3], labels[4]);
}

TEST(Dbscan, ManyThatAreAlikeCostLittle) {
  const Points route = random_points(12, 5);
  const NeighbourSearch copies(set_of(std::vector<Points>(100'000, route)), Measure::frechet);
  EXPECT_EQ(dbscan(copies, {.radius = 1, .min_points = 5}).clusters.count, 1u);
  std::vector<Points> alike;
  for (std::uint64_t i = 0; i < 4000; ++i) alike.push_back(shaken(route, 0.01, i));
  const NeighbourSearch search(set_of(alike), Measure::frechet);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const DensityClusters found = dbscan(search, {.radius = 5, .min_points = 5});
  EXPECT_EQ(found.clusters.count, 1u);
  EXPECT_LT(found.work.pairs, 4000u * 100);
}

TEST(Dbscan, IsTheSameOnOneThreadAndStops) {
  const NeighbourSearch search(set_of(varied_trips(400, 6)), Measure::frechet);
  const DbscanOptions options{.radius = 5, .min_points = 4};
  const DensityClusters many = dbscan(search, options);
  EXPECT_GT(many.clusters.count, 2u);
  std::uint64_t done = 0, total = 0;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(dbscan(search, options,
                   [&](const ProgressState& state) {
                     done = std::max(done, state.done);
                     total = state.total;
                   })
                .clusters,
            many.clusters);
  EXPECT_EQ(done, total);
  EXPECT_THROW(
      dbscan(search, options, [](const ProgressState&) { throw std::runtime_error("stop"); }),
      std::runtime_error);
}

TEST(Dbscan, RefusesWhatMakesNoSense) {
  const NeighbourSearch search(set_of(varied_trips(5, 8)), Measure::frechet);
  expect_error(ErrorCode::usage, "radius of -3", "from 0", [&] { dbscan(search, {.radius = -3}); });
  expect_error(ErrorCode::usage, "number of points of 0 is too few", "at least 1",
               [&] { dbscan(search, {.radius = 3, .min_points = 0}); });
}

}  // namespace
}  // namespace tsmini
