#include "tsmini/neighbour_graph.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// All others that have a distance, nearest first.
std::vector<Neighbour> all_others(const AllDistances& distances, std::size_t trip, bool by_pair) {
  std::vector<Neighbour> others;
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const double d = by_pair ? distances.pair(trip, j) : distances.at(trip, j);
    if (j != trip && d < infinity) others.push_back({j, d});
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
  return others;
}

std::vector<Neighbour> row_of(const NeighbourGraph& graph, std::size_t trip) {
  std::vector<Neighbour> row;
  for (std::size_t e = graph.offsets[trip]; e < graph.offsets[trip + 1]; ++e) {
    row.push_back({graph.indices[e], graph.distances[e]});
  }
  return row;
}

class NeighbourGraphTest : public testing::TestWithParam<Measure> {};

TEST_P(NeighbourGraphTest, TheNearestAreThoseOfAllDistances) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{7}, points.size() + 3,
                                std::numeric_limits<std::size_t>::max()}) {
      const NeighbourGraph graph = nearest_graph(c.search, k);
      ASSERT_EQ(graph.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        auto expected = all_others(c.distances, i, false);
        expected.resize(std::min(expected.size(), k));
        EXPECT_EQ(row_of(graph, i), expected);
        EXPECT_EQ(c.search.nearest(i, k), expected);
      }
    }
  }
}

TEST_P(NeighbourGraphTest, AllWithinARadiusAreThoseOfAllDistances) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const double radius : {0.0, c.distances.quantile(0.05), c.distances.quantile(0.4)}) {
      const NeighbourGraph graph = radius_graph(c.search, radius);
      ASSERT_EQ(graph.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        auto by_pair = all_others(c.distances, i, true),
             by_trip = all_others(c.distances, i, false);
        const auto farther = [&](const Neighbour& n) { return n.distance > radius; };
        std::erase_if(by_pair, farther);
        std::erase_if(by_trip, farther);
        EXPECT_EQ(row_of(graph, i), by_pair);
        EXPECT_EQ(c.search.within(i, radius), by_trip);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NeighbourGraphTest, testing::ValuesIn(all_measures), MeasureName());

TEST(NeighbourGraph, CountsCopiesAndTripsWithoutDistance) {
  const Points line{{0, 0}, {1, 1}}, point{{3, 3}};
  const PlanarSet trips = set_of({point, line, line, point, {{9, 9}, {8, 8}}});
  const NeighbourSearch edwp(trips, Measure::edwp);
  EXPECT_EQ(edwp.copies(), 1u);
  EXPECT_EQ(edwp.without_distance(), 2u);
  const NeighbourSearch frechet(trips, Measure::frechet);
  EXPECT_EQ(frechet.copies(), 2u);
  EXPECT_EQ(frechet.without_distance(), 0u);
}

TEST(NeighbourGraph, RefusesWhatDoesNotFit) {
  const NeighbourSearch search(set_of(varied_trips(50, 1)), Measure::frechet);
  const NeighbourGraph all = radius_graph(search, 1e9);
  EXPECT_EQ(all.indices.size(), 50u * 49);
  const std::size_t distinct = 50 - search.copies();
  const std::uint64_t bytes = 50 * 49 * 12 + distinct * (distinct - 1) / 2 * 16;
  EXPECT_NO_THROW(radius_graph(search, 1e9, {}, bytes));
  expect_error(ErrorCode::usage, "pairs of trips within .* do not fit into .* kB", "smaller",
               [&] { radius_graph(search, 1e9, {}, bytes - 1); });
  EXPECT_NO_THROW(nearest_graph(search, 10, {}, 50 * 10 * 12));
  expect_error(ErrorCode::usage, "10 neighbours of 50 trips do not fit", "fewer",
               [&] { nearest_graph(search, 10, {}, 50 * 10 * 12 - 1); });
  expect_error(ErrorCode::usage, "radius of -1", "from 0", [&] { radius_graph(search, -1); });
  expect_error(ErrorCode::usage, "radius of nan", "", [&] { radius_graph(search, std::nan("")); });
}

TEST(NeighbourGraph, OfManyCopiesRefusesBeforeItIsThere) {
  const NeighbourSearch search(set_of(std::vector<Points>(20'000, {{1, 2}, {3, 4}})), Measure::dtw);
  expect_error(ErrorCode::usage, "do not fit", "", [&] { radius_graph(search, 0); });
  EXPECT_EQ(nearest_graph(search, 3).neighbours(1)[1], 2u);
}

TEST(NeighbourGraph, IsTheSameOnOneThreadAndStops) {
  const NeighbourSearch search(set_of(varied_trips(200, 9)), Measure::frechet);
  const NeighbourGraph many = nearest_graph(search, 5);
  const NeighbourGraph within = radius_graph(search, 10);
  std::uint64_t done = 0;
  {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const NeighbourGraph alone = nearest_graph(
        search, 5, [&](const ProgressState& state) { done = std::max(done, state.done); });
    EXPECT_EQ(alone.indices, many.indices);
    EXPECT_EQ(alone.distances, many.distances);
    EXPECT_EQ(alone.work.pairs, many.work.pairs);
    EXPECT_EQ(radius_graph(search, 10).indices, within.indices);
  }
  EXPECT_EQ(done, 200 - search.copies());
  const auto stop = [](const ProgressState&) { throw std::runtime_error("stop"); };
  EXPECT_THROW(nearest_graph(search, 5, stop), std::runtime_error);
  EXPECT_THROW(radius_graph(search, 5, stop), std::runtime_error);
}

TEST(NeighbourGraph, ComputesEachPairWithinARadiusOnce) {
  const NeighbourSearch search(set_of(mixed(Measure::frechet, 100, 20, 1)), Measure::frechet);
  ASSERT_EQ(search.copies(), 0u);
  EXPECT_EQ(radius_graph(search, 1e9).work.pairs, 100u * 99 / 2);
}

}  // namespace
}  // namespace tsmini
