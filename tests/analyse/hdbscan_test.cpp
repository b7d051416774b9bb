#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/density_clusters.h"

#include "analyse/naive_labels.h"
#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Trips = std::vector<std::size_t>;

// As it is defined: all mutual reachabilities, and sets of trips that are taken apart from the
// farthest join to the nearest.
class NaiveHdbscan {
 public:
  NaiveHdbscan(const AllDistances& distances, const HdbscanOptions& options)
      : n_(distances.size()), options_(options), joined_(n_ * n_, infinity) {
    core.assign(n_, infinity);
    Trips all;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!distances.has(i)) continue;
      all.push_back(i);
      std::vector<double> row;
      for (std::size_t j = 0; j < n_; ++j) row.push_back(distances.at(i, j));
      std::sort(row.begin(), row.end());  // itself is the first
      if (options.min_points <= n_) core[i] = row[options.min_points - 1];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        joined_[i * n_ + j] = std::max({core[i], core[j], distances.pair(i, j)});
      }
    }
    NamedClusters names(n_, -1);
    if (all.size() >= options.min_points && !all.empty()) {
      for (const double join : joins(all))
        smallest_ = join > 0 ? std::min(smallest_, join) : smallest_;
      for (const Chosen& chosen : best(all, 0).within) {
        for (const std::size_t trip : chosen.trips) names[trip] = static_cast<int>(chosen.trips[0]);
        stabilities.push_back(chosen.stability);
      }
    }
    labels = numbered(names);
  }

  std::vector<double> core;
  std::vector<std::int32_t> labels;
  std::vector<double> stabilities;  // in no order

 private:
  struct Chosen {
    Trips trips;
    double stability;
  };
  struct Best {
    std::vector<Chosen> chosen, within;  // of a cluster or those in it, and of those in it alone
    double stability = 0;
  };

  double density(double distance) const {
    if (distance > 0) return 1 / distance;
    return smallest_ < infinity ? 2 / smallest_ : 1;
  }

  double at(std::size_t i, std::size_t j) const { return joined_[i * n_ + j]; }

  // The distances that the trips' minimum spanning tree joins at (Prim).
  std::vector<double> joins(const Trips& trips) const {
    std::vector<double> found;
    std::vector<double> nearest(trips.size(), infinity);
    std::vector<bool> in(trips.size());
    for (std::size_t at_trip = 0, count = 1; count < trips.size(); ++count) {
      in[at_trip] = true;
      std::size_t next = trips.size();
      for (std::size_t i = 0; i < trips.size(); ++i) {
        if (in[i]) continue;
        nearest[i] = std::min(nearest[i], at(trips[at_trip], trips[i]));
        if (next == trips.size() || nearest[i] < nearest[next]) next = i;
      }
      found.push_back(nearest[next]);
      at_trip = next;
    }
    return found;
  }

  double farthest_join(const Trips& trips) const {
    const auto all = joins(trips);
    return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  }

  // What is left of them without joins from this distance up.
  std::vector<Trips> parts(const Trips& trips, double distance) const {
    std::vector<Trips> found;
    std::vector<bool> seen(n_);
    for (const std::size_t start : trips) {
      if (seen[start]) continue;
      Trips part, open{start};
      seen[start] = true;
      while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        part.push_back(i);
        for (const std::size_t j : trips) {
          if (seen[j] || !(at(i, j) < distance)) continue;
          seen[j] = true;
          open.push_back(j);
        }
      }
      std::sort(part.begin(), part.end());
      found.push_back(part);
    }
    return found;
  }

  Best best(const Trips& cluster, double birth) const {
    Trips trips = cluster;
    Best result;
    double own = 0, of_children = 0;
    bool is_leaf = false;
    for (;;) {
      const double distance = farthest_join(trips);
      std::vector<Trips> large;
      for (Trips& part : parts(trips, distance)) {
        if (part.size() >= options_.min_cluster_size) large.push_back(std::move(part));
      }
      const std::size_t stay = large.size() == 1 ? large[0].size() : 0;
      own += static_cast<double>(trips.size() - stay) * (density(distance) - birth);
      if (large.size() == 1) {
        trips = large[0];
        continue;
      }
      is_leaf = large.empty();
      std::reverse(large.begin(), large.end());
      for (const Trips& part : large) {
        const Best child = best(part, density(distance));
        of_children += child.stability;
        result.within.insert(result.within.end(), child.chosen.begin(), child.chosen.end());
      }
      break;
    }
    result.stability = std::max(own, of_children);
    const bool is_chosen =
        options_.selection == ClusterSelection::leaves ? is_leaf : own >= of_children;
    result.chosen = is_chosen ? std::vector<Chosen>{{cluster, own}} : result.within;
    return result;
  }

  std::size_t n_;
  HdbscanOptions options_;
  std::vector<double> joined_;
  double smallest_ = infinity;
};

class HdbscanTest : public testing::TestWithParam<Measure> {};

void expect_as_its_twin(const Case& c, const HdbscanOptions& options) {
  const DensityClusters found = hdbscan(c.search, options);
  const NaiveHdbscan twin(c.distances, options);
  EXPECT_EQ(found.clusters.labels, twin.labels)
      << options.min_points << " " << options.min_cluster_size;
  EXPECT_EQ(found.core_distance, twin.core);
  expect_consistent(found.clusters);
  auto stability = found.stability, expected = twin.stabilities;
  std::sort(stability.begin(), stability.end());
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(stability.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(stability[i], expected[i], 1e-9 * (1 + expected[i]));
  }
}

TEST_P(HdbscanTest, IsAsItsTwin) {
  int compared = 0;
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    if (!c.distances.is_symmetric()) continue;
    ++compared;
    for (const std::size_t min_points : {1u, 2u, 4u, 8u, 30u, 100u}) {
      for (const std::size_t min_size : {2u, 3u, 6u, 20u}) {
        for (const auto selection : {ClusterSelection::leaves, ClusterSelection::excess_of_mass}) {
          expect_as_its_twin(
              c, {.min_points = min_points, .min_cluster_size = min_size, .selection = selection});
        }
      }
    }
  }
  EXPECT_GE(compared, 7);
}

INSTANTIATE_TEST_SUITE_P(All, HdbscanTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Hdbscan, FindsClustersOfDifferentDensity) {
  std::vector<Points> trips;
  const auto add = [&](double x, double spread, int count) {
    for (int i = 0; i < count; ++i) {
      trips.push_back(shaken({{x, 0}, {x, 50}}, spread, trips.size()));
    }
  };
  add(0, 0.1, 20);
  add(100, 5, 30);
  add(1000, 20, 25);
  const auto clusters =
      hdbscan(
          NeighbourSearch(set_of(trips), Measure::frechet),
          {.min_points = 4, .min_cluster_size = 10, .selection = ClusterSelection::excess_of_mass})
          .clusters;
  ASSERT_EQ(clusters.count, 3u);
  EXPECT_LE(clusters.noise_trips, 10u);
  EXPECT_EQ(clusters.labels[25], 0);
  EXPECT_EQ(clusters.labels[60], 1);
  EXPECT_EQ(clusters.labels[5], 2);
}

// Two groups that no list of near neighbours joins.
TEST(Hdbscan, JoinsWhatIsFarApart) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const double x = i % 3 == 0 ? 0 : i % 3 == 1 ? 1e4 : 1e5;
    trips.push_back(shaken({{x, 0}, {x, 50}, {x, 90}}, 3, i));
  }
  const Case c(trips, Measure::frechet);
  const HdbscanOptions options{
      .min_points = 5, .min_cluster_size = 30, .selection = ClusterSelection::excess_of_mass};
  const DensityClusters found = hdbscan(c.search, options);
  EXPECT_EQ(found.clusters.labels, NaiveHdbscan(c.distances, options).labels);
  EXPECT_EQ(found.clusters.count, 3u);
}

// A chain of routes, each as near the next as its trips are to each other but for a step: all of it
// lasts longer than its routes, which are its leaves.
TEST(Hdbscan, LeavesAreTheRoutesOfWhatShadesIntoEachOther) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const double x = i < 10 ? 1e6 : 13 * static_cast<double>(i % 6);
    trips.push_back(shaken({{x, 0}, {x, 50}, {x, 90}}, 3, i));
  }
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  HdbscanOptions options{.min_points = 5, .min_cluster_size = 10};
  options.selection = ClusterSelection::leaves;
  const auto leaves = hdbscan(search, options).clusters;
  EXPECT_GE(leaves.count, 7u);
  options.selection = ClusterSelection::excess_of_mass;
  EXPECT_EQ(hdbscan(search, options).clusters.count, 2u);
  for (std::size_t i = 10; i + 6 < trips.size(); ++i) {
    const std::int32_t label = leaves.labels[i];
    if (label != noise) {
      EXPECT_NE(label, leaves.labels[i + 1]);
    }
  }
}

TEST(Hdbscan, ManyCopiesCostLittle) {
  std::vector<Points> trips(50'000, random_points(12, 5));
  trips.resize(100'000, random_points(12, 6));
  const auto found = hdbscan(NeighbourSearch(set_of(trips), Measure::frechet));
  EXPECT_EQ(found.clusters.count, 2u);
  EXPECT_EQ(found.clusters.noise_trips, 0u);
}

TEST(Hdbscan, IsTheSameOnOneThreadAndStops) {
  const NeighbourSearch search(set_of(varied_trips(400, 6, Style::lattice)), Measure::hausdorff);
  const DensityClusters many = hdbscan(search);
  EXPECT_GT(many.clusters.count, 2u);
  std::uint64_t done = 0, total = 0;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const DensityClusters alone = hdbscan(search, {}, [&](const ProgressState& state) {
    done = std::max(done, state.done);
    total = state.total;
  });
  EXPECT_EQ(alone.clusters, many.clusters);
  EXPECT_EQ(alone.stability, many.stability);
  EXPECT_EQ(done, total);
  EXPECT_THROW(hdbscan(search, {}, [](const ProgressState&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
}

TEST(Hdbscan, RefusesWhatMakesNoSense) {
  const NeighbourSearch search(set_of(varied_trips(5, 8)), Measure::frechet);
  expect_error(ErrorCode::usage, "number of points of 0", "at least 1",
               [&] { hdbscan(search, {.min_points = 0}); });
  expect_error(ErrorCode::usage, "cluster size of 1", "at least 2",
               [&] { hdbscan(search, {.min_cluster_size = 1}); });
}

TEST(Hdbscan, RefusesWhatDoesNotFit) {
  std::vector<Points> trips;
  for (int i = 0; i < 10'000; ++i) trips.push_back({{static_cast<double>(i), 0}});
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  expect_error(ErrorCode::usage, "8999 neighbours of 10000 trips do not fit", "fewer",
               [&] { hdbscan(search, {.min_points = 9000}); });
}

}  // namespace
}  // namespace tsmini
