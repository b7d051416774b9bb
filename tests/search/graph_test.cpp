#include "search/graph.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "search/embeddings.h"
#include "search/graph_builder.h"
#include "search/graph_search.h"

namespace tsmini {
namespace {

constexpr std::size_t dimension = 24, links = 8;
constexpr EmbeddingMetric metric{MetricKind::l1, 1};

class GraphTest : public testing::Test {
 protected:
  void add(std::size_t count, std::uint64_t seed) {
    const auto more = clustered_rows(count, dimension, seed);
    rows.insert(rows.end(), more.begin(), more.end());
    store.append(more);
    removed.extend(store.size());
    graph = extended(graph, store, 60, {});
  }

  // The share of the ten nearest that is found, the mean over many queries.
  double mean_recall(const RowFilter& filter = {}) const {
    constexpr std::size_t count = 60;
    const auto queries = clustered_rows(count, dimension, 99);
    const Allowed allowed(removed, filter);
    double sum = 0;
    for (std::size_t q = 0; q < count; ++q) {
      const auto query = row_of(queries, dimension, q);
      const auto hits = follow(graph, store, PlacedQuery(store.layout(), query), 10, 100, allowed);
      sum += recall(hits, true_distances(metric, rows, query), 10, allowed_error(metric, dimension),
                    allowed);
    }
    return sum / count;
  }

  std::vector<float> rows;
  RowStore store{metric, dimension};
  RowSet removed;
  Graph graph{links};
};

TEST_F(GraphTest, LeadsToTheNearest) {
  add(4'000, 1);
  EXPECT_GT(mean_recall(), 0.95);
}

TEST_F(GraphTest, KeepsWhatItHasWhenItGrows) {
  add(1, 1);
  add(2'000, 2);
  add(1, 3);
  add(2'000, 4);
  EXPECT_EQ(graph.size(), 4'002u);
  EXPECT_GT(mean_recall(), 0.95);
}

TEST_F(GraphTest, IsFollowedThroughRowsThatAreNotAllowed) {
  add(4'000, 1);
  for (std::uint32_t i = 0; i < 4'000; i += 3) removed.insert(i);
  EXPECT_GT(mean_recall(), 0.95);
  EXPECT_GT(mean_recall([](std::uint32_t row) { return row % 4 == 0; }), 0.95);
}

TEST_F(GraphTest, HasSoundLists) {
  add(3'000, 1);
  std::size_t lists = 0, highest = 0;
  const auto check = [&](std::span<const std::uint32_t> neighbours, std::uint32_t row) {
    bool ended = false;
    for (const std::uint32_t other : neighbours) {
      EXPECT_FALSE(ended && other != Graph::none);
      ended = other == Graph::none;
      EXPECT_TRUE(ended || (other < graph.size() && other != row));
    }
  };
  for (std::uint32_t row = 0; row < graph.size(); ++row) {
    check(graph.neighbours(row), row);
    if (graph.starts[row] == Graph::none) continue;
    EXPECT_EQ(graph.starts[row], lists);
    const auto next =
        std::find_if(graph.starts.values().begin() + row + 1, graph.starts.values().end(),
                     [](std::uint32_t start) { return start != Graph::none; });
    const std::size_t end =
        next == graph.starts.values().end() ? graph.upper.size() / links : *next;
    highest = std::max(highest, end - lists);
    for (std::uint32_t level = 1; level <= end - lists; ++level) {
      check(graph.neighbours(row, level), row);
    }
    lists = end;
  }
  EXPECT_EQ(graph.upper.size(), lists * links);
  EXPECT_EQ(graph.entry_levels, highest);
}

TEST_F(GraphTest, LinksThatLeadNowhereAreNotFollowed) {
  add(2'000, 1);
  for (std::size_t i = 0; i < graph.lowest.size(); i += 3) graph.lowest.writable()[i] = 2'000;
  for (std::size_t i = 0; i < graph.upper.size(); i += 3) graph.upper.writable()[i] = 5'000'000;
  for (std::size_t i = 0; i < graph.starts.size(); i += 3) graph.starts.writable()[i] = 1 << 30;
  graph.entry_levels = 20;
  EXPECT_GT(mean_recall(), 0.1);
}

TEST_F(GraphTest, ProgressCountsNewRowsAndMayStop) {
  add(100, 1);
  store.append(clustered_rows(25'000, dimension, 2));
  std::vector<std::uint64_t> done;
  extended(graph, store, 10, [&](const ProgressState& state) {
    done.push_back(state.done);
    EXPECT_EQ(state.total, 25'000u);
  });
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 25'000u);
  EXPECT_THROW(
      extended(graph, store, 10, [](const ProgressState&) { throw std::runtime_error("stop"); }),
      std::runtime_error);
  EXPECT_EQ(graph.size(), 100u);
}

}  // namespace
}  // namespace tsmini
