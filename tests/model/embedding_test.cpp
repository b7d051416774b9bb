#include "tsmini/embedding.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

constexpr std::array all_kinds{MetricKind::l1, MetricKind::l2, MetricKind::linf,
                               MetricKind::chebyshev};

TEST(EmbeddingMetric, NamesReadBack) {
  for (const MetricKind kind : all_kinds) EXPECT_EQ(metric_kind_from(name_of(kind)), kind);
  EXPECT_EQ(name_of(MetricKind::chebyshev), "chebyshev");
  expect_error(ErrorCode::usage, "unknown metric 'cosine'", "l1, l2, linf, chebyshev",
               [] { metric_kind_from("cosine"); });
}

TEST(EmbeddingMetric, ByHand) {
  const std::vector<float> a{0, 0, 0, 0}, b{3, -4, 1, 2};
  EXPECT_EQ(embedding_distance({MetricKind::l1}, a, b), 10);
  EXPECT_EQ(embedding_distance({MetricKind::l2}, a, b), std::sqrt(30.0));
  EXPECT_EQ(embedding_distance({MetricKind::linf}, a, b), 4);
  EXPECT_EQ(embedding_distance({MetricKind::chebyshev, 2}, a, b), 4 + 2);
  EXPECT_EQ(embedding_distance({MetricKind::chebyshev, 1}, a, b), 10);
  EXPECT_EQ(embedding_distance({MetricKind::chebyshev, 4}, a, b), 4);
}

TEST(EmbeddingMetric, IsExactInDouble) {
  const std::vector<float> a{1e8F, 1}, b{0, 0};
  EXPECT_EQ(embedding_distance({MetricKind::l1}, a, b), 100'000'001);
}

TEST(EmbeddingMetric, IsSymmetricAndZeroForTheSame) {
  const std::vector<float> a{0.5F, -1, 2, 8}, b{3, 4, 1, -2};
  for (const MetricKind kind : all_kinds) {
    const EmbeddingMetric metric{kind, 2};
    EXPECT_EQ(embedding_distance(metric, a, a), 0);
    EXPECT_EQ(embedding_distance(metric, a, b), embedding_distance(metric, b, a));
    EXPECT_EQ(embedding_distance(metric, {}, {}), 0);
  }
}

TEST(EmbeddingMetric, ANanIsNotHidden) {
  const std::vector<float> a{1, std::numeric_limits<float>::quiet_NaN(), 5, 1}, b{0, 0, 0, 0};
  for (const MetricKind kind : all_kinds) {
    EXPECT_TRUE(std::isnan(embedding_distance({kind, 2}, a, b))) << name_of(kind);
  }
}

}  // namespace
}  // namespace tsmini
