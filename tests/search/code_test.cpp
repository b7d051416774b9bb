#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "search/code_kernels.h"
#include "search/embeddings.h"
#include "search/shapes.h"

namespace tsmini {
namespace {

class Codes : public testing::TestWithParam<std::string_view> {
 protected:
  Codes() { force_simd_target(GetParam()); }
  ~Codes() override { force_simd_target(before_); }

  // Codes as embeddings, whose distance the twin knows; that of l2 comes back squared.
  static void expect_true(const MetricShape& shape, const std::vector<float>& rows,
                          const std::vector<float>& query) {
    const LaneLayout layout(shape.metric, shape.dimension, code_lanes);
    const std::size_t count = rows.size() / shape.dimension;
    const auto placed = [&](std::span<const float> values) {
      std::vector<std::uint8_t> codes(values.size() / shape.dimension * layout.width());
      for (std::size_t i = 0; i < values.size(); ++i) {
        codes[i / shape.dimension * layout.width() + layout.place(i % shape.dimension)] =
            static_cast<std::uint8_t>(values[i]);
      }
      return codes;
    };
    std::vector<std::uint32_t> distances(count);
    code_kernel(layout)(layout,
                        {placed(query).data(), placed(rows).data(), count, distances.data()});
    const auto truth = true_distances(shape.metric, rows, query);
    for (std::size_t i = 0; i < count; ++i) {
      const double wanted = shape.metric.kind == MetricKind::l2 ? truth[i] * truth[i] : truth[i];
      ASSERT_EQ(distances[i], std::llround(wanted)) << text_of(shape) << " row " << i;
    }
  }

 private:
  std::string before_{simd_target()};
};

std::vector<float> random_codes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> codes(count);
  for (float& code : codes) code = static_cast<float>(random.below(256));
  return codes;
}

TEST_P(Codes, EqualTheTwin) {
  for (const MetricShape& shape : all_shapes()) {
    for (const std::size_t count : Sizes{1, 2, 3, 4, 5, 11}) {
      expect_true(shape, random_codes(count * shape.dimension, count),
                  random_codes(shape.dimension, 99));
    }
  }
}

TEST_P(Codes, HoldAtTheEndsOfTheRange) {
  for (const MetricShape& shape : all_shapes()) {
    const std::vector<float> zeros(shape.dimension), most(shape.dimension, 255);
    expect_true(shape, zeros, zeros);
    expect_true(shape, most, zeros);
    expect_true(shape, zeros, most);
    std::vector<float> one_each(shape.dimension * shape.dimension);
    for (std::size_t i = 0; i < shape.dimension; ++i) {
      one_each[i * shape.dimension + i] = static_cast<float>(1 + i % 255);
    }
    expect_true(shape, one_each, zeros);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Codes, testing::ValuesIn(simd_targets()),
                         [](const auto& param) { return std::string(param.param); });

// Ends are those of the many, so that a straggler does not blur them.
TEST(CodedIndex, IsNotBlurredByStragglers) {
  const std::size_t dimension = 32;
  auto rows = clustered_rows(5'000, dimension, 1);
  const auto queries = clustered_rows(20, dimension, 2);
  for (std::size_t i = 0; i < 40; ++i) rows[i * 1'000] *= 1e9F;
  for (const MetricKind kind : {MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
    EmbeddingIndex flat({.dimension = dimension, .metric = {kind, 1}});
    EmbeddingIndex coded({.dimension = dimension, .metric = {kind, 1}, .kind = IndexKind::coded});
    flat.add(rows);
    coded.add(rows);
    EXPECT_EQ(coded.nearest_each(queries, 10), flat.nearest_each(queries, 10));
    // Nor is a query lost that is one itself.
    for (const std::size_t i : Sizes{0, 1'000, 39'000}) {
      const auto straggler = row_of(rows, dimension, i / dimension);
      EXPECT_EQ(coded.nearest(straggler, 10), flat.nearest(straggler, 10));
    }
  }
}

// The first rows say little about those that come.
TEST(CodedIndex, TakesItsEndsAgainAsItGrows) {
  const std::size_t dimension = 32;
  const auto rows = clustered_rows(6'000, dimension, 1);
  const auto queries = clustered_rows(20, dimension, 2);
  EmbeddingIndex flat({.dimension = dimension, .metric = {MetricKind::l1, 1}});
  EmbeddingIndex coded(
      {.dimension = dimension, .metric = {MetricKind::l1, 1}, .kind = IndexKind::coded});
  const std::vector<float> first(5 * dimension, 1e-6F);
  flat.add(first);
  coded.add(first);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto part = std::span(rows).subspan(i * 1'000 * dimension, 1'000 * dimension);
    flat.add(part);
    coded.add(part);
  }
  EXPECT_EQ(coded.nearest_each(queries, 10), flat.nearest_each(queries, 10));
}

}  // namespace
}  // namespace tsmini
