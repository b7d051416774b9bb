#include "tsmini/outliers.h"

#include <cmath>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

// By the definition, in plain loops, over one of each trip and its copies.
class NaiveOutliers {
 public:
  NaiveOutliers(const std::vector<Points>& points, const AllDistances& distances, std::size_t k)
      : first_(points.size()) {
    std::vector<std::size_t> distinct;
    for (std::size_t i = 0; i < points.size(); ++i) {
      first_[i] = distances.first_copy(i);
      if (first_[i] == i && distances.has(i)) distinct.push_back(i);
    }
    near_.resize(points.size());
    for (const std::size_t i : distinct) {
      for (const std::size_t j : distinct) {
        if (i != j) near_[i].push_back({j, distances.at(i, j)});
      }
      std::stable_sort(
          near_[i].begin(), near_[i].end(),
          [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
      near_[i].resize(std::min(k, near_[i].size()));
      if (near_[i].empty()) continue;
      scored.push_back(i);
    }
    for (const std::size_t i : scored) {
      if (mean_reach(i) > 0) floor_ = std::min(floor_, mean_reach(i));
    }
    if (std::isinf(floor_)) floor_ = 1;
  }

  double kth(std::size_t i) const { return near_[first_[i]].back().distance; }
  Neighbour nearest(std::size_t i) const { return near_[first_[i]].front(); }
  bool is_scored(std::size_t i) const { return !near_[first_[i]].empty(); }

  double lof(std::size_t i) const {
    double sum = 0;
    for (const Neighbour& n : near_[first_[i]]) sum += density(n.index) / density(first_[i]);
    return sum / static_cast<double>(near_[first_[i]].size());
  }

  // The harmonic mean of what its neighbours reach.
  double usual(std::size_t i) const {
    double inverses = 0;
    for (const Neighbour& n : near_[first_[i]]) inverses += 1 / reach(n.index);
    return static_cast<double>(near_[first_[i]].size()) / inverses;
  }

  double reach(std::size_t i) const { return std::max(mean_reach(first_[i]), floor_); }

  std::vector<std::size_t> scored;  // first ones

 private:
  double mean_reach(std::size_t i) const {
    double sum = 0;
    for (const Neighbour& n : near_[i]) sum += std::max(kth(n.index), n.distance);
    return sum / static_cast<double>(near_[i].size());
  }
  double density(std::size_t i) const { return 1 / reach(i); }

  std::vector<std::size_t> first_;
  std::vector<std::vector<Neighbour>> near_;
  double floor_ = std::numeric_limits<double>::infinity();
};

class OutliersTest : public testing::TestWithParam<Measure> {};

TEST_P(OutliersTest, AreAsTheirTwin) {
  for (const auto& points : hard_sets()) {
    const Case c(points, GetParam());
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, points.size() + 2}) {
      const Outliers found = find_outliers(c.search, {.k = k});
      const NaiveOutliers twin(points, c.distances, k);
      ASSERT_EQ(found.trips.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        const OutlierScore& score = found.trips[i];
        ASSERT_EQ(score.is_scored(), twin.is_scored(i));
        if (!score.is_scored()) continue;
        EXPECT_EQ(score.nearest, twin.nearest(i).index);
        EXPECT_EQ(score.nearest_distance, twin.nearest(i).distance);
        EXPECT_EQ(score.kth_distance, twin.kth(i));
        EXPECT_TRUE(std::isfinite(score.lof));
        EXPECT_NEAR(score.lof, twin.lof(i), 1e-9 * twin.lof(i));
        EXPECT_NEAR(score.neighbour_distance, twin.reach(i), 1e-9 * twin.reach(i));
        EXPECT_NEAR(score.usual_distance, twin.usual(i), 1e-9 * twin.usual(i));
      }
      const auto order = found.ranked_by_density();
      for (std::size_t i = 1; i < order.size(); ++i) {
        const double before = found.trips[order[i - 1]].lof, lof = found.trips[order[i]].lof;
        EXPECT_TRUE(before > lof || (before == lof && order[i - 1] < order[i]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OutliersTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Outliers, TheOddTripIsFirst) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 50; ++i) trips.push_back(shaken({{0, 0}, {50, 0}}, 1, i));
  for (std::uint64_t i = 0; i < 50; ++i) trips.push_back(shaken({{900, 0}, {1900, 0}}, 30, i));
  trips.push_back({{0, 25}, {50, 25}});  // odd beside the dense, not beside the sparse
  const Outliers found = find_outliers(NeighbourSearch(set_of(trips), Measure::frechet), {.k = 10});
  EXPECT_EQ(found.ranked_by_density().front(), 100u);
  EXPECT_NE(found.ranked_by_distance().front(), 100u);
  EXPECT_LT(found.trips[100].nearest, 50u);
  EXPECT_GT(found.trips[100].lof, 5);
  EXPECT_LT(found.trips[100].usual_distance, 5);
  EXPECT_GT(found.trips[100].neighbour_distance, 20);
  EXPECT_NEAR(found.trips[7].lof, 1, 0.5);
}

TEST(Outliers, CopiesDoNotHideAnOddTrip) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 60; ++i) trips.push_back(shaken({{0, 0}, {50, 0}}, 1, i));
  for (int i = 0; i < 30; ++i) trips.push_back({{500, 500}});
  const Outliers found = find_outliers(NeighbourSearch(set_of(trips), Measure::dtw), {.k = 10});
  EXPECT_EQ(found.ranked_by_density().front(), 60u);
  EXPECT_EQ(found.ranked_by_distance().front(), 60u);
  EXPECT_EQ(found.trips[60].lof, found.trips[89].lof);
}

TEST(Outliers, AreTheSameOnOneThreadAndStop) {
  const NeighbourSearch search(set_of(varied_trips(300, 8)), Measure::frechet);
  const Outliers many = find_outliers(search);
  EXPECT_EQ(many.k, 20u);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Outliers alone = find_outliers(search);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(alone.trips[i].lof, many.trips[i].lof);
  EXPECT_THROW(
      find_outliers(search, {}, [](const ProgressState&) { throw std::runtime_error("stop"); }),
      std::runtime_error);
  expect_error(ErrorCode::usage, "neighbours of 0", "at least 1",
               [&] { find_outliers(search, {.k = 0}); });
}

TEST(Outliers, RefuseWhatDoesNotFit) {
  std::vector<Points> trips;
  for (int i = 0; i < 10'000; ++i) trips.push_back({{static_cast<double>(i), 0}});
  const NeighbourSearch search(set_of(trips), Measure::frechet);
  expect_error(ErrorCode::usage, "9000 neighbours of 10000 trips do not fit", "fewer",
               [&] { find_outliers(search, {.k = 9000}); });
  expect_error(ErrorCode::usage, "9999 neighbours of 10000 trips do not fit", "fewer",
               [&] { find_outliers(search, {.k = std::numeric_limits<std::size_t>::max()}); });
}

}  // namespace
}  // namespace tsmini
