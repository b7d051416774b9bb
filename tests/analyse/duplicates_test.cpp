#include "tsmini/duplicates.h"

#include <map>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

// What is dropped, and for whom.
using Dropped = std::map<std::size_t, std::size_t>;

Dropped dropped_by(const DuplicateGroups& found) {
  Dropped dropped;
  for (const DuplicateGroup& group : found.groups) {
    for (const Neighbour& n : group.dropped) dropped[n.index] = group.kept;
  }
  EXPECT_EQ(dropped.size(), found.dropped);
  return dropped;
}

// Whether `a` takes its turn before `b`.
bool precedes(const PlanarSet& trips, std::size_t a, std::size_t b) {
  return trips.length(a) > trips.length(b) || (trips.length(a) == trips.length(b) && a < b);
}

Dropped naive_by_centre(const Case& c, double radius) {
  std::vector<std::size_t> order(c.trips.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return precedes(c.trips, a, b); });
  Dropped dropped;
  for (const std::size_t i : order) {
    if (dropped.contains(i)) continue;
    for (const std::size_t j : order) {
      if (precedes(c.trips, i, j) && !dropped.contains(j) && c.distances.at(i, j) <= radius) {
        dropped[j] = i;
      }
    }
  }
  return dropped;
}

Dropped naive_connected(const Case& c, double radius) {
  const std::size_t n = c.trips.size();
  std::vector<std::size_t> group(n);
  for (std::size_t i = 0; i < n; ++i) group[i] = i;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!(c.distances.pair(i, j) <= radius)) continue;
      const std::size_t old = group[j], now = group[i];
      for (std::size_t& g : group) g = g == old ? now : g;
    }
  }
  Dropped dropped;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = i;
    for (std::size_t j = 0; j < n; ++j) {
      if (group[j] == group[i] && precedes(c.trips, j, best)) best = j;
    }
    if (best != i) dropped[i] = best;
  }
  return dropped;
}

class DuplicatesTest : public testing::TestWithParam<Measure> {
 protected:
  static std::vector<double> radii(const Case& c) {
    return {0, c.distances.quantile(0.02), c.distances.quantile(0.1), c.distances.quantile(0.5)};
  }
};

TEST_P(DuplicatesTest, ByCentreIsAsItsTwin) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const double radius : radii(c)) {
      const DuplicateGroups found = find_duplicates(c.search, {.radius = radius});
      EXPECT_EQ(dropped_by(found), naive_by_centre(c, radius));
      for (const DuplicateGroup& group : found.groups) {
        for (const Neighbour& n : group.dropped) {
          EXPECT_EQ(n.distance, c.distances.at(group.kept, n.index));
          EXPECT_LE(n.distance, radius);
        }
      }
    }
  }
}

TEST_P(DuplicatesTest, ConnectedIsAsItsTwin) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const double radius : radii(c)) {
      const DuplicateGroups found =
          find_duplicates(c.search, {.radius = radius, .grouping = DuplicateGrouping::connected});
      EXPECT_EQ(dropped_by(found), naive_connected(c, radius));
      for (const DuplicateGroup& group : found.groups) {
        for (const Neighbour& n : group.dropped) {
          EXPECT_NEAR(n.distance, c.distances.at(group.kept, n.index), 1e-9);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DuplicatesTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Duplicates, AChainIsOneGroupOnlyWhereConnected) {
  std::vector<Points> chain;
  for (int i = 0; i < 5; ++i) chain.push_back({{i * 10.0, 0}, {i * 10.0, 100}});
  const NeighbourSearch search(set_of(chain), Measure::frechet);
  const DuplicateGroups one =
      find_duplicates(search, {.radius = 10, .grouping = DuplicateGrouping::connected});
  ASSERT_EQ(one.groups.size(), 1u);
  EXPECT_EQ(one.groups[0].kept, 0u);
  EXPECT_EQ(one.groups[0].dropped.back(), (Neighbour{4, 40}));
  const DuplicateGroups some = find_duplicates(search, {.radius = 10});
  EXPECT_EQ(dropped_by(some), (Dropped{{1, 0}, {3, 2}}));
  EXPECT_EQ(without_dropped(some, 5), (std::vector<std::size_t>{0, 2, 4}));
}

TEST(Duplicates, GroupsAreLargestFirst) {
  const Points a{{0, 0}}, b{{500, 0}}, c{{900, 0}};
  const NeighbourSearch search(set_of({c, a, b, b, a, c, b}), Measure::hausdorff);
  const DuplicateGroups found = find_duplicates(search);
  ASSERT_EQ(found.groups.size(), 3u);
  EXPECT_EQ(found.groups[0].kept, 2u);
  EXPECT_EQ(found.groups[1].kept, 0u);
  EXPECT_EQ(found.groups[2].kept, 1u);
  EXPECT_EQ(found.groups[0].dropped, (std::vector<Neighbour>{{3, 0}, {6, 0}}));
}

// Neither copies nor trips that are merely alike cost the square of their number.
TEST(Duplicates, ManyThatAreAlikeCostLittle) {
  const Points route = random_points(12, 5);
  const NeighbourSearch copies(set_of(std::vector<Points>(100'000, route)), Measure::frechet);
  EXPECT_EQ(find_duplicates(copies, {.radius = 5}).dropped, 99'999u);
  std::vector<Points> alike;
  for (std::uint64_t i = 0; i < 4000; ++i) alike.push_back(shaken(route, 0.01, i));
  const NeighbourSearch search(set_of(alike), Measure::frechet);
  const DuplicateGroups found = find_duplicates(search, {.radius = 5});
  EXPECT_EQ(found.dropped, 3999u);
  EXPECT_LT(found.work.pairs, 4000u * 100);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const DuplicateGroups connected =
      find_duplicates(search, {.radius = 5, .grouping = DuplicateGrouping::connected});
  EXPECT_EQ(connected.dropped, 3999u);
  EXPECT_LT(connected.work.pairs, 4000u * 2);
}

// By then many trips have had their turns and answers were few.
TEST(Duplicates, ThatComeLateCostLittle) {
  constexpr std::size_t alone = 3000, alike = 3000, threads = 4;
  std::vector<Points> trips;
  for (std::size_t i = 0; i < alone; ++i) {
    const double x = 1000.0 * static_cast<double>(i + 1);
    trips.push_back({{x, 0}, {x, 10}, {x, 20}, {x, 30}});
  }
  for (std::uint64_t i = 0; i < alike; ++i) trips.push_back(shaken({{0, 0}, {0, 9}}, 0.01, i));
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  const tbb::global_control some(tbb::global_control::max_allowed_parallelism, threads);
  const DuplicateGroups found = find_duplicates(search, {.radius = 5});
  EXPECT_EQ(found.dropped, alike - 1);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].kept, alone);
  // A search for each core, and once more for what had begun when enough was found.
  EXPECT_LT(found.work.pairs, (2 * threads + 2) * (alone + alike));
}

// Turns that end early lose nobody.
TEST(Duplicates, OfGroupsOfAnySizeAreAsTheirTwin) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const auto group = static_cast<double>(i * i % 601 % 7);
    trips.push_back(shaken({{group * 30, 0}, {group * 30, 50}}, 4, i));
    if (i % 3 == 0) trips.back().push_back({group * 30, 51});
  }
  const Case c(trips, Measure::frechet);
  for (const double radius : {3.0, 10.0, 25.0}) {
    const DuplicateGroups found = find_duplicates(c.search, {.radius = radius});
    EXPECT_EQ(dropped_by(found), naive_by_centre(c, radius));
  }
}

TEST(Duplicates, AreTheSameOnOneThreadAndStop) {
  const NeighbourSearch search(set_of(varied_trips(300, 8)), Measure::frechet);
  for (const DuplicateGrouping grouping :
       {DuplicateGrouping::by_centre, DuplicateGrouping::connected}) {
    const DuplicateOptions options{.radius = 4, .grouping = grouping};
    const Dropped many = dropped_by(find_duplicates(search, options));
    EXPECT_GT(many.size(), 50u);
    std::uint64_t done = 0, total = 0;
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(dropped_by(find_duplicates(search, options,
                                         [&](const ProgressState& state) {
                                           done = std::max(done, state.done);
                                           total = state.total;
                                         })),
              many);
    EXPECT_EQ(done, total);
    EXPECT_THROW(find_duplicates(search, options,
                                 [](const ProgressState&) { throw std::runtime_error("stop"); }),
                 std::runtime_error);
  }
}

TEST(Duplicates, ARadiusIsNotNegative) {
  const NeighbourSearch search(set_of(varied_trips(5, 8)), Measure::frechet);
  expect_error(ErrorCode::usage, "radius of -3", "from 0",
               [&] { find_duplicates(search, {.radius = -3}); });
}

}  // namespace
}  // namespace tsmini
