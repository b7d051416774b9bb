// The small parts of an index and of how a query is answered, at their boundaries.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "search/allowed.h"
#include "search/candidates.h"
#include "search/graph.h"
#include "search/graph_search.h"
#include "search/k_nearest.h"
#include "search/lane_layout.h"
#include "search/row_selection.h"
#include "search/row_set.h"
#include "search/row_store.h"
#include "search/scan.h"
#include "search/scan_stretches.h"

namespace tsmini {
namespace {

using Pairs = std::vector<std::pair<float, std::uint32_t>>;

Pairs taken(Nearest<float>& nearest) {
  Pairs pairs;
  for (const auto& item : nearest.take()) pairs.emplace_back(item.distance, item.row);
  return pairs;
}

TEST(Nearest, KeepsTheNearestTiesToTheLowerRow) {
  Nearest<float> nearest(3);
  EXPECT_EQ(nearest.limit(), std::numeric_limits<float>::max());
  for (const auto& [distance, row] :
       Pairs{{5, 9}, {2, 4}, {5, 7}, {std::nanf(""), 1}, {5, 8}, {1, 6}, {5, 3}}) {
    nearest.offer(distance, row);
  }
  EXPECT_EQ(nearest.size(), 3u);
  EXPECT_EQ(nearest.limit(), 5);
  EXPECT_EQ(taken(nearest), (Pairs{{1, 6}, {2, 4}, {5, 3}}));
  Nearest<float> endless(2);
  endless.offer(std::numeric_limits<float>::infinity(), 1);
  EXPECT_EQ(endless.size(), 0u) << "what is at no distance that counts";
}

TEST(RowSet, KnowsRowsAroundItsWords) {
  RowSet rows;
  rows.extend(129);
  EXPECT_EQ(rows.words().size(), 3u);
  for (const std::size_t row :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{128}, std::size_t{64}}) {
    rows.insert(row);
  }
  EXPECT_EQ(rows.count(), 4u) << "none twice";
  for (std::size_t row = 0; row < 129; ++row) {
    EXPECT_EQ(rows.contains(row), row == 0 || row == 63 || row == 64 || row == 128) << row;
  }
  rows.extend(10);
  EXPECT_EQ(rows.words().size(), 3u) << "never smaller";
  EXPECT_EQ(RowSet::words_for(0), 0u);
  EXPECT_EQ(RowSet::words_for(64), 1u);
  EXPECT_EQ(RowSet::words_for(65), 2u);
  Array<std::uint64_t> words;
  *words.grow(1) = 0b1011;
  EXPECT_EQ(RowSet(std::move(words)).count(), 3u);
}

TEST(RowSelection, LetsPassWhatIsNamedAndNotExcluded) {
  RowSelection all;
  EXPECT_TRUE(all.allows(7));
  EXPECT_FALSE(all.predicate());
  const RowSelection but{nullptr, {3, 5}};
  EXPECT_FALSE(but.allows(3));
  EXPECT_TRUE(but.allows(4));
  EXPECT_FALSE(but.predicate()(5));
  const RowSelection some{shared({1, 3, 9}), {3}};
  EXPECT_TRUE(some.allows(1));
  EXPECT_FALSE(some.allows(3));
  EXPECT_FALSE(some.allows(4));
  EXPECT_TRUE(some.predicate()(9));
  const RowSelection nothing{shared({}), {}};
  EXPECT_FALSE(nothing.predicate()(0));
}

TEST(Allowed, IsNeitherRemovedNorFiltered) {
  RowSet removed;
  removed.extend(4);
  const RowFilter no_filter, odd = [](std::uint32_t row) { return row % 2 == 1; };
  EXPECT_TRUE(Allowed(removed, no_filter).everything());
  EXPECT_FALSE(Allowed(removed, odd).everything());
  removed.insert(1);
  EXPECT_FALSE(Allowed(removed, no_filter).everything());
  EXPECT_FALSE(Allowed(removed, odd)(0));
  EXPECT_FALSE(Allowed(removed, odd)(1));
  EXPECT_TRUE(Allowed(removed, odd)(3));
}

// The table in the header.
TEST(LaneLayout, IsThatOfItsTable) {
  const auto expect_shape = [](const EmbeddingMetric& metric, std::size_t groups,
                               std::size_t blocks, std::size_t steps) {
    const LaneLayout layout(metric, 128, 16);
    EXPECT_EQ(layout.groups(), groups);
    EXPECT_EQ(layout.blocks(), blocks);
    EXPECT_EQ(layout.steps(), steps);
    EXPECT_EQ(layout.width(), 128u);
  };
  expect_shape({MetricKind::l1, 1}, 16, 8, 1);
  expect_shape({MetricKind::l2, 1}, 16, 8, 1);
  expect_shape({MetricKind::linf, 1}, 1, 1, 8);
  expect_shape({MetricKind::chebyshev, 16}, 8, 1, 8);
  expect_shape({MetricKind::chebyshev, 4}, 16, 2, 4);
  // Three groups of two, in four lanes each: a lane in four is left over.
  const LaneLayout odd({MetricKind::chebyshev, 2}, 6, 16);
  EXPECT_EQ(odd.groups(), 4u);
  EXPECT_EQ(odd.width(), 16u);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < 6; ++i) places.push_back(odd.place(i));
  EXPECT_EQ(places, (std::vector<std::size_t>{0, 4, 1, 5, 2, 6}));
}

// Every row is seen once, whatever the stretches: of 8 kB rows there are four to one.
TEST(ScanStretches, SeeEveryRowOnce) {
  RowSet removed;
  removed.extend(100);
  removed.insert(6);
  const RowFilter filter;
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4},
                                 std::size_t{5}, std::size_t{8}, std::size_t{9}}) {
    std::vector<int> seen(rows);
    auto nearest = scan_stretches<float>(
        {rows, 8192, 1}, 100, Allowed(removed, filter),
        [&](std::size_t, std::size_t first, std::size_t count, float* distances) {
          EXPECT_LE(count, 4u);
          for (std::size_t i = 0; i < count; ++i) {
            ++seen[first + i];
            distances[i] = 100 - static_cast<float>(first + i);
          }
        });
    EXPECT_EQ(seen, std::vector<int>(rows, 1));
    const Pairs found = taken(nearest.at(0));
    EXPECT_EQ(found.size(), rows > 6 ? rows - 1 : rows);
    if (rows > 0) {
      EXPECT_EQ(found.front().second, rows - 1);
    }
  }
}

// Rows on a line, at 0, 1, …, 5.
class Line : public testing::Test {
 protected:
  Line() {
    std::vector<float> values;
    for (int i = 0; i < 6; ++i) values.insert(values.end(), {static_cast<float>(i), 0});
    rows_.append(values);
    removed_.extend(6);
  }

  // Links on the lowest level, four a row, and above it, two.
  static void link(Array<std::uint32_t>& lists, std::size_t room,
                   const std::vector<std::vector<std::uint32_t>>& links) {
    for (const auto& list : links) {
      std::uint32_t* out = lists.grow(room);
      for (std::size_t i = 0; i < room; ++i) out[i] = i < list.size() ? list[i] : Graph::none;
    }
  }

  // Rows 1 and 4 are on the level above, where they know each other.
  static Graph chain() {
    Graph graph(2);
    graph.entry = 1;
    graph.entry_levels = 1;
    link(graph.lowest, 4, {{1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4}});
    std::uint32_t* starts = graph.starts.grow(6);
    std::fill(starts, starts + 6, Graph::none);
    starts[1] = 0, starts[4] = 1;
    link(graph.upper, 2, {{4}, {1}});
    return graph;
  }

  std::vector<Hit> found(const Graph& graph, float at, std::size_t k, std::size_t ef) const {
    const std::vector<float> query{at, 0};
    const RowFilter filter;
    return follow(graph, rows_, PlacedQuery(rows_.layout(), query), k, ef,
                  Allowed(removed_, filter));
  }

  RowStore rows_{{MetricKind::l1, 1}, 2};
  RowSet removed_;
};

TEST_F(Line, IsFollowedToItsEnd) {
  const Graph graph = chain();
  EXPECT_EQ(graph.flaw(), nullptr);
  EXPECT_EQ(found(graph, 5.25F, 2, 2), (std::vector<Hit>{{5, 0.25F}, {4, 1.25F}}));
  EXPECT_EQ(found(graph, 0, 1, 1), (std::vector<Hit>{{0, 0}}));
  EXPECT_EQ(found(graph, 2.5F, 6, 6).size(), 6u);
  EXPECT_EQ(found(graph, 2.5F, 1, 6), (std::vector<Hit>{{2, 0.5F}})) << "ties to the lower";
  EXPECT_TRUE(found(Graph(2), 1, 1, 1).empty());
}

TEST_F(Line, IsFollowedThroughWhatIsRemoved) {
  const Graph graph = chain();
  removed_.insert(3);
  removed_.insert(4);
  EXPECT_EQ(found(graph, 5, 1, 3), (std::vector<Hit>{{5, 0}}));
  EXPECT_EQ(found(graph, 3.1F, 6, 6).size(), 4u);
}

TEST_F(Line, IsScannedInFull) {
  const RowFilter filter;
  const std::vector<float> query{2.5F, 0};
  const PlacedQuery placed(rows_.layout(), query);
  EXPECT_EQ(scan(rows_, {&placed, 1}, 3, Allowed(removed_, filter)).at(0),
            (std::vector<Hit>{{2, 0.5F}, {3, 0.5F}, {1, 1.5F}}));
  const std::vector<std::uint32_t> some{5, 0, 3};
  EXPECT_EQ(scan_some(rows_, some, placed, 2), (std::vector<Hit>{{3, 0.5F}, {0, 2.5F}}));
}

TEST_F(Line, FlawsAreNamed) {
  Graph graph = chain();
  graph.lowest.writable()[5] = 6;
  EXPECT_STREQ(graph.flaw(), "its graph has links that lead nowhere");
  graph = chain();
  graph.upper.writable()[0] = 3;
  EXPECT_STREQ(graph.flaw(), "its graph has links that lead nowhere") << "not on that level";
  graph = chain();
  graph.entry_levels = 2;
  EXPECT_STREQ(graph.flaw(), "its graph has no entry");
  graph = chain();
  graph.entry = 6;
  EXPECT_STREQ(graph.flaw(), "its graph has no entry");
  graph = chain();
  graph.starts.writable()[4] = 0;
  EXPECT_STREQ(graph.flaw(), "the levels of its graph are mixed up");
  graph = chain();
  graph.starts.writable()[1] = Graph::none;
  EXPECT_STREQ(graph.flaw(), "the levels of its graph are mixed up") << "a list of nobody's";
  EXPECT_EQ(Graph(2).flaw(), nullptr);
}

// A model of so many trips, judged or not.
class CountedTrips final : public EmbeddedTrips {
 public:
  CountedTrips(std::size_t size, const Judgement* judgement) : size_(size), judgement_(judgement) {}

  std::size_t size() const override { return size_; }
  const Judgement* judgement() const override { return judgement_; }

  const std::string& name() const override { throw std::logic_error("not asked for"); }
  const Model& model() const override { throw std::logic_error("not asked for"); }
  const Encoder& encoder() const override { throw std::logic_error("not asked for"); }
  bool is_complete() const override { return true; }
  std::vector<RowDistance> nearest(std::span<const float>, std::size_t,
                                   const RowPredicate&) const override {
    return {};
  }
  std::span<const std::int64_t> unfit() const override { return {}; }

 private:
  std::size_t size_;
  const Judgement* judgement_;
};

TEST(Candidates, AreAsManyAsAskedForOrNeeded) {
  const CountedTrips many(5000, nullptr), few(few_to_rank, nullptr), more(few_to_rank + 1, nullptr);
  const auto count = [](const SearchRequest& request, const EmbeddedTrips& trips,
                        std::optional<std::size_t> passing = {}) {
    return candidates_for(request, trips, passing);
  };
  EXPECT_EQ(count({.k = 10, .candidates = 77}, many), 77u);
  EXPECT_EQ(count({.k = 10, .candidates = 3}, many), 10u) << "at least what is wanted";
  EXPECT_EQ(count({.k = 10}, few), few_to_rank) << "so few are all taken";
  EXPECT_EQ(count({.k = 10}, more), 50u);
  EXPECT_EQ(count({.k = 2000}, few), 2000u);
  EXPECT_EQ(count({.k = 10, .recall = 1}, many), 5000u);
  EXPECT_EQ(count({.k = 10}, many, 400), 400u) << "those that pass";
  EXPECT_EQ(count({.k = 10, .recall = 1}, many, 1500), 1500u);
}

TEST(Candidates, RecallIsKnownWhereAllAreTakenOrJudged) {
  const CountedTrips many(5000, nullptr);
  EXPECT_EQ(recall_of(many, 10, 5000, {}), 1);
  EXPECT_EQ(recall_of(many, 10, 4999, {}), std::nullopt);
  EXPECT_EQ(recall_of(many, 10, 300, 300), 1);
  EXPECT_EQ(recall_of(many, 10, 299, 300), std::nullopt);
  Judgement judgement;
  judgement.samples = 9;
  const CountedTrips judged(5000, &judgement);
  EXPECT_EQ(recall_of(judged, 10, 4999, {}), judgement.recall_at(10, 4999));
  EXPECT_EQ(recall_of(judged, 10, 299, 300), std::nullopt) << "it knows nothing of filters";
}

}  // namespace
}  // namespace tsmini
