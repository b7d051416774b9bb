#include "tsmini/join.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "analyse/trips.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Rows = std::vector<std::vector<Neighbour>>;

class Collector {
 public:
  JoinSink sink() {
    return [this](std::size_t trip, std::span<const Neighbour> near) {
      EXPECT_EQ(trip, rows.size());  // in order
      rows.emplace_back(near.begin(), near.end());
    };
  }
  Rows rows;
};

Rows naive_join(const PlanarSet& a, const PlanarSet& b, Measure measure, std::size_t k,
                double radius, const JoinRule& allowed = {}) {
  Rows rows(a.size());
  const AllDistances distances = [&] {
    std::vector<Points> both;
    for (std::size_t i = 0; i < a.size(); ++i) both.emplace_back(a[i].begin(), a[i].end());
    for (std::size_t i = 0; i < b.size(); ++i) both.emplace_back(b[i].begin(), b[i].end());
    return AllDistances(set_of(both), measure, settings_for(measure));
  }();
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (allowed && !allowed(i, j)) continue;
      const double d = distances.at(i, a.size() + j);
      if (d <= radius && d < std::numeric_limits<double>::infinity()) rows[i].push_back({j, d});
    }
    std::stable_sort(rows[i].begin(), rows[i].end(), [](const Neighbour& x, const Neighbour& y) {
      return x.distance < y.distance;
    });
    rows[i].resize(std::min(rows[i].size(), k));
  }
  return rows;
}

class JoinTest : public testing::TestWithParam<Measure> {};

TEST_P(JoinTest, IsAsItsTwin) {
  const auto sets = hard_sets();
  const Measure measure = GetParam();
  const MeasureSettings settings = settings_for(measure);
  constexpr double everything = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const PlanarSet a = set_of(sets[s]), b = set_of(sets[(s + 4) % sets.size()]);
    for (const std::size_t k : {std::size_t{1}, std::size_t{6}, b.size() + 1}) {
      Collector nearest;
      join_nearest(a, b, measure, settings, k, nearest.sink());
      EXPECT_EQ(nearest.rows, naive_join(a, b, measure, k, everything));
    }
    for (const double radius : {0.0, 0.5, 30.0}) {
      Collector within;
      join_within(a, b, measure, settings, radius, within.sink());
      EXPECT_EQ(within.rows, naive_join(a, b, measure, b.size(), radius));
    }
  }
}

// Ids that several trips have, copies among them, and copies under several ids.
TEST_P(JoinTest, WithARuleIsAsItsTwin) {
  const Measure measure = GetParam();
  const MeasureSettings settings = settings_for(measure);
  constexpr double everything = std::numeric_limits<double>::infinity();
  const auto sets = hard_sets();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::vector<Points> twice = sets[(s + 4) % sets.size()];
    const std::vector<Points> again(twice.rbegin(), twice.rend());
    twice.insert(twice.end(), again.begin(), again.end());
    const PlanarSet a = set_of(sets[s]), b = set_of(twice);
    for (const std::size_t ids : {std::size_t{2}, std::size_t{5}}) {
      const JoinRule other_id = [&](std::size_t i, std::size_t j) { return i % ids != j % ids; };
      for (const std::size_t k : {std::size_t{1}, std::size_t{6}, b.size() + 1}) {
        Collector nearest;
        join_nearest(a, b, measure, settings, k, nearest.sink(), other_id);
        EXPECT_EQ(nearest.rows, naive_join(a, b, measure, k, everything, other_id));
      }
      Collector within;
      join_within(a, b, measure, settings, 30, within.sink(), other_id);
      EXPECT_EQ(within.rows, naive_join(a, b, measure, b.size(), 30, other_id));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, JoinTest, testing::ValuesIn(all_measures), MeasureName());

TEST(Join, IsTheSameOnOneThreadAndCounts) {
  const PlanarSet a = set_of(varied_trips(300, 1)), b = set_of(varied_trips(200, 2));
  Collector many, alone;
  const SearchWork work = join_nearest(a, b, Measure::frechet, {}, 3, many.sink());
  EXPECT_GT(work.pairs, 300u);
  std::uint64_t done = 0;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  join_nearest(a, b, Measure::frechet, {}, 3, alone.sink(), {},
               [&](const ProgressState& state) { done = std::max(done, state.done); });
  EXPECT_EQ(alone.rows, many.rows);
  EXPECT_EQ(done, 300u);
}

// Two are equally near, one of them a copy whose first is not allowed: the other comes first.
TEST(Join, WithARuleTiesGoToTheLowerTripThatIsAllowed) {
  const Points above{{0, 1}, {9, 1}}, below{{0, -1}, {9, -1}}, between{{0, 0}, {9, 0}};
  const PlanarSet a = set_of({between}), b = set_of({above, below, above});
  Collector found;
  join_nearest(a, b, Measure::frechet, {}, 1, found.sink(),
               [](std::size_t, std::size_t j) { return j != 0; });
  EXPECT_EQ(found.rows, (Rows{{{1, 1.0}}}));
}

// Nobody has to be asked for in place of those who share an id.
TEST(Join, WithARuleComputesHardlyMore) {
  const PlanarSet a = set_of(varied_trips(400, 1));
  const JoinRule other_id = [](std::size_t i, std::size_t j) { return i / 100 != j / 100; };
  const auto nothing = [](std::size_t, std::span<const Neighbour>) {};
  const SearchWork all = join_nearest(a, a, Measure::frechet, {}, 2, nothing);
  const SearchWork others = join_nearest(a, a, Measure::frechet, {}, 2, nothing, other_id);
  EXPECT_LT(others.pairs, 2 * all.pairs);
}

TEST(Join, EndsWithWhatTheSinkOrTheProgressThrows) {
  const PlanarSet a = set_of(varied_trips(300, 1));
  std::size_t rows = 0;
  const auto full = [&](std::size_t, std::span<const Neighbour>) {
    if (++rows == 10) throw Error(ErrorCode::failure, "the disk is full");
  };
  expect_error(ErrorCode::failure, "disk is full", "",
               [&] { join_within(a, a, Measure::frechet, {}, 5, full); });
  EXPECT_EQ(rows, 10u);
  EXPECT_THROW(join_within(
                   a, a, Measure::frechet, {}, 5, [](auto, auto) {}, {},
                   [](const ProgressState&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
}

TEST(Join, RefusesWhatMakesNoSense) {
  const PlanarSet a = set_of(varied_trips(3, 1));
  const auto sink = [](std::size_t, std::span<const Neighbour>) {};
  expect_error(ErrorCode::usage, "neighbours of 0", "at least 1",
               [&] { join_nearest(a, a, Measure::dtw, {}, 0, sink); });
  expect_error(ErrorCode::usage, "radius of -1", "",
               [&] { join_within(a, a, Measure::dtw, {}, -1, sink); });
  EXPECT_THROW(join_within(a, a, Measure::edr, {}, 1, sink), Error);  // no epsilon
}

}  // namespace
}  // namespace tsmini
