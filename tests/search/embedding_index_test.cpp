#include "tsmini/embedding_index.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "search/embeddings.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

constexpr std::array all_kinds{IndexKind::flat, IndexKind::coded, IndexKind::hnsw};
const auto everything = [](std::uint32_t) { return true; };

struct Setup {
  IndexKind kind;
  EmbeddingMetric metric;
  std::size_t dimension;
};

std::vector<Setup> all_setups() {
  std::vector<Setup> setups;
  for (const IndexKind kind : all_kinds) {
    setups.push_back({kind, {MetricKind::l2, 1}, 48});
    setups.push_back({kind, {MetricKind::chebyshev, 16}, 128});
    if (kind == IndexKind::hnsw) continue;  // slow to build, and the same for all
    setups.push_back({kind, {MetricKind::l1, 1}, 64});
    setups.push_back({kind, {MetricKind::linf, 1}, 32});
    setups.push_back({kind, {MetricKind::chebyshev, 5}, 35});
  }
  return setups;
}

class Index : public testing::TestWithParam<Setup> {
 protected:
  static constexpr std::size_t row_count = 3'000;

  Index() { index.add(rows); }

  std::span<const float> row(std::size_t i) const { return row_of(rows, GetParam().dimension, i); }
  std::span<const float> query(std::size_t i) const {
    return row_of(queries, GetParam().dimension, i);
  }
  // The least recall of ten over all queries.
  template <class Allowed>
  double least_recall(const EmbeddingIndex& in, const Allowed& allowed) const {
    double least = 1, sum = 0;
    for (std::size_t q = 0; q < query_count; ++q) {
      const auto truth = true_distances(GetParam().metric, rows, query(q));
      const double error = allowed_error(GetParam().metric, GetParam().dimension);
      const double r = recall(in.nearest(query(q), 10, allowed), truth, 10, error, allowed);
      least = std::min(least, r);
      sum += r;
    }
    // The graph promises the mean, the scans every answer of every query.
    return GetParam().kind == IndexKind::hnsw ? sum / query_count : least;
  }
  double wanted_recall() const { return GetParam().kind == IndexKind::hnsw ? 0.95 : 1; }

  static constexpr std::size_t query_count = 20;
  std::vector<float> rows = clustered_rows(row_count, GetParam().dimension, 1);
  std::vector<float> queries = clustered_rows(query_count, GetParam().dimension, 2);
  EmbeddingIndex index{
      {.dimension = GetParam().dimension, .metric = GetParam().metric, .kind = GetParam().kind}};
};

TEST_P(Index, FindsTheNearest) {
  EXPECT_EQ(index.size(), row_count);
  EXPECT_GE(least_recall(index, everything), wanted_recall());
  const double allowed = allowed_error(GetParam().metric, GetParam().dimension);
  for (std::size_t q = 0; q < query_count; ++q) {
    const auto truth = true_distances(GetParam().metric, rows, query(q));
    const auto hits = index.nearest(query(q), 10);
    ASSERT_EQ(hits.size(), 10u);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_NEAR(hits[i].distance, truth[hits[i].row], allowed * truth[hits[i].row]);
      EXPECT_GE(hits[i].distance, hits[i == 0 ? 0 : i - 1].distance);
    }
  }
}

// What the recall of these tests forgives: a row that the arithmetic may take for a tie, no other.
TEST(RecallOfTests, ForgivesTiesAlone) {
  const double error = allowed_error({MetricKind::l2, 1}, 48);
  const auto recall_with = [&](double nearer) {
    return recall({Hit{1, 1.0F}}, {1 - nearer, 1}, 1, error, everything);
  };
  EXPECT_LT(error, 4e-7);
  EXPECT_EQ(recall_with(1.9 * error), 1);
  EXPECT_EQ(recall_with(2.1 * error), 0);
}

TEST_P(Index, NearestEachEqualsNearest) {
  const auto each = index.nearest_each(queries, 7);
  ASSERT_EQ(each.size(), query_count);
  for (std::size_t q = 0; q < query_count; ++q) EXPECT_EQ(each[q], index.nearest(query(q), 7));
  EXPECT_TRUE(index.nearest_each({}, 7).empty());
}

TEST_P(Index, KMayBeZeroOrBeyondAll) {
  EXPECT_TRUE(index.nearest(query(0), 0).empty());
  EXPECT_EQ(index.nearest_each(queries, 0), std::vector<std::vector<Hit>>(query_count));
  for (const std::size_t k : {row_count, row_count + 1, 10 * row_count}) {
    const auto hits = index.nearest(query(0), k);
    ASSERT_EQ(hits.size(), row_count);
    std::vector<bool> seen(row_count);
    for (const Hit& hit : hits) seen[hit.row] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), row_count);
  }
}

TEST_P(Index, ARemovedRowIsNoAnswer) {
  for (std::uint32_t i = 0; i < row_count; i += 2) index.remove(i);
  index.remove(4);
  EXPECT_TRUE(index.removed(4));
  EXPECT_FALSE(index.removed(5));
  EXPECT_EQ(index.size(), row_count);
  EXPECT_GE(least_recall(index, [](std::uint32_t i) { return i % 2 == 1; }), wanted_recall());
  for (const Hit& hit : index.nearest(query(0), row_count)) EXPECT_EQ(hit.row % 2, 1u);
  for (std::uint32_t i = 0; i < row_count; ++i) index.remove(i);
  EXPECT_TRUE(index.nearest(query(0), 3).empty());
}

TEST_P(Index, OnlyAllowedRowsAreAnswers) {
  for (const std::uint32_t step : {2u, 7u, 100u, 1'000u, 5'000u}) {
    const auto allowed = [step](std::uint32_t i) { return i % step == step - 1; };
    for (const Hit& hit : index.nearest(query(1), 50, allowed)) EXPECT_TRUE(allowed(hit.row));
    EXPECT_GE(least_recall(index, allowed), wanted_recall()) << step;
    EXPECT_EQ(index.nearest(query(1), row_count, allowed).size(), row_count / step);
  }
}

TEST_P(Index, RowsMayBeAddedLater) {
  EmbeddingIndex grown(index.settings());
  std::size_t added = 0;
  for (const std::size_t count : Sizes{1, 2, 500, 1'000, 1'497}) {
    grown.add(std::span(rows).subspan(added * GetParam().dimension, count * GetParam().dimension));
    added += count;
    EXPECT_EQ(grown.size(), added);
    EXPECT_EQ(grown.nearest(row(added - 1), 1).front().row, added - 1);
  }
  EXPECT_GE(least_recall(grown, everything), wanted_recall());
  EXPECT_EQ(grown.row(777), std::vector<float>(row(777).begin(), row(777).end()));
}

TEST_P(Index, EqualRowsComeInTheirOrder) {
  EmbeddingIndex same(index.settings());
  std::vector<float> copies;
  for (int i = 0; i < 40; ++i) copies.insert(copies.end(), row(0).begin(), row(0).end());
  same.add(copies);
  const auto hits = same.nearest(row(0), 40);
  ASSERT_EQ(hits.size(), 40u);
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(hits[i], (Hit{i, 0}));
}

TEST_P(Index, AnEmptyOneHasNoAnswers) {
  const EmbeddingIndex empty(index.settings());
  EXPECT_TRUE(empty.nearest(query(0), 5).empty());
  EXPECT_EQ(empty.nearest_each(queries, 5), std::vector<std::vector<Hit>>(query_count));
}

TEST_P(Index, HoldsRowsOfEverySize) {
  const std::size_t dimension = GetParam().dimension;
  std::vector<float> odd(4 * dimension);
  std::fill_n(odd.begin(), dimension, 1e17F);
  std::fill_n(odd.begin() + static_cast<std::ptrdiff_t>(dimension), dimension, -1e17F);
  std::fill_n(odd.begin() + static_cast<std::ptrdiff_t>(2 * dimension), dimension, 1e-40F);
  index.add(odd);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto hits = index.nearest(row_of(odd, dimension, i), 1);
    EXPECT_EQ(hits, (std::vector<Hit>{{static_cast<std::uint32_t>(row_count + i), 0}}));
  }
  EXPECT_GE(least_recall(index, [](std::uint32_t i) { return i < row_count; }), wanted_recall());
}

TEST_P(Index, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  index.remove(17);
  index.save(folder / "index", "owner 1");
  EmbeddingIndex loaded = EmbeddingIndex::load(folder / "index");
  EXPECT_EQ(loaded.settings(), index.settings());
  EXPECT_EQ(loaded.owner(), "owner 1");
  EXPECT_EQ(loaded.size(), row_count);
  EXPECT_TRUE(loaded.removed(17));
  EXPECT_EQ(loaded.row(1'234), index.row(1'234));
  loaded.verify();
  for (std::size_t q = 0; q < query_count; ++q) {
    EXPECT_EQ(loaded.nearest(query(q), 10), index.nearest(query(q), 10));
  }
  loaded.save(folder / "copy", "owner 1");  // codes and links have come along
  EXPECT_EQ(read_file(folder / "copy"), read_file(folder / "index"));
  std::filesystem::remove(folder / "copy");
  // It goes on as if it had never been saved, and may replace its own file.
  const auto more = clustered_rows(300, GetParam().dimension, 3);
  loaded.add(more);
  loaded.remove(18);
  loaded.save(folder / "index");
  const EmbeddingIndex again = EmbeddingIndex::load(folder / "index");
  again.verify();
  EXPECT_EQ(again.owner(), "");
  EXPECT_EQ(again.size(), row_count + 300);
  EXPECT_TRUE(again.removed(17) && again.removed(18) && !again.removed(19));
  EXPECT_EQ(again.nearest(row_of(more, GetParam().dimension, 299), 1).front().row, row_count + 299);
  EXPECT_GE(
      least_recall(again, [](std::uint32_t i) { return i < row_count && i != 17 && i != 18; }),
      wanted_recall());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"index"});
}

INSTANTIATE_TEST_SUITE_P(Kinds, Index, testing::ValuesIn(all_setups()), [](const auto& param) {
  return fmt::format("{}_{}_{}_{}", name_of(param.param.kind), name_of(param.param.metric.kind),
                     param.param.metric.group, param.param.dimension);
});

TEST(IndexKinds, HaveNames) {
  for (const IndexKind kind : {IndexKind::flat, IndexKind::coded, IndexKind::hnsw}) {
    EXPECT_EQ(index_kind_from(name_of(kind)), kind);
  }
  expect_error(ErrorCode::usage, "unknown index kind 'tree'", "flat, coded, hnsw",
               [] { index_kind_from("tree"); });
  EXPECT_EQ(index_kind_for(100), IndexKind::flat);
  EXPECT_EQ(index_kind_for(20'000), IndexKind::flat);
  EXPECT_EQ(index_kind_for(20'001), IndexKind::coded);
  EXPECT_EQ(index_kind_for(100'000), IndexKind::coded);
  EXPECT_EQ(index_kind_for(100'001), IndexKind::hnsw);
}

TEST(IndexProgress, MayStopAddingAndLeavesEverythingAsItWas) {
  const auto rows = clustered_rows(500, 16, 1), more = clustered_rows(500, 16, 2);
  EmbeddingIndex index({.dimension = 16, .metric = {MetricKind::l1, 1}, .kind = IndexKind::hnsw});
  index.add(rows);
  const auto query = row_of(more, 16, 0);
  const auto before = index.nearest(query, 10);
  const auto stop = [](const ProgressState&) { throw std::runtime_error("stop"); };
  EXPECT_THROW(index.add(more, stop), std::runtime_error);
  EXPECT_EQ(index.size(), 500u);
  EXPECT_EQ(index.nearest(query, 10), before);
  index.add(more);
  EXPECT_EQ(index.nearest(query, 1), (std::vector<Hit>{{500, 0}}));
}

TEST(IndexInput, IsChecked) {
  const EmbeddingMetric l1{MetricKind::l1, 1};
  expect_error(ErrorCode::usage, "dimension", "",
               [&] { EmbeddingIndex({.dimension = 0, .metric = l1}); });
  expect_error(ErrorCode::usage, "group does not divide", "", [&] {
    EmbeddingIndex({.dimension = 10, .metric = {MetricKind::chebyshev, 4}});
  });
  expect_error(ErrorCode::usage, "links", "",
               [&] { EmbeddingIndex({.dimension = 10, .metric = l1, .links = 1}); });
  EmbeddingIndex index({.dimension = 2, .metric = l1});
  expect_error(ErrorCode::bad_input, "3 values of a row", "", [&] {
    index.add(std::vector<float>{1, 2, 3});
  });
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1e18F}) {
    expect_error(ErrorCode::bad_input, "row 1 has the value .* in dimension 0", "finite", [&] {
      index.add(std::vector<float>{1, 2, bad, 4});
    });
    expect_error(ErrorCode::bad_input, "query 0 has the value", "finite", [&] {
      index.nearest(std::vector<float>{1, bad}, 1);
    });
  }
  EXPECT_EQ(index.size(), 0u);
}

}  // namespace
}  // namespace tsmini
