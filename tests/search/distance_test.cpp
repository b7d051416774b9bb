#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/embedding.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "search/distance_kernels.h"
#include "search/embeddings.h"
#include "search/row_store.h"
#include "search/shapes.h"

namespace tsmini {
namespace {

class Distances : public testing::TestWithParam<std::string_view> {
 protected:
  Distances() { force_simd_target(GetParam()); }
  ~Distances() override { force_simd_target(before_); }

  static std::vector<float> measured(const MetricShape& shape, const std::vector<float>& rows,
                                     std::span<const float> query) {
    RowStore store(shape.metric, shape.dimension);
    store.append(rows);
    const PlacedQuery placed(store.layout(), query);
    std::vector<float> distances(store.size());
    store.measure(placed, 0, store.size(), distances.data());
    return distances;
  }

  // `tiny` is what differences below the normal numbers may lose when they are squared.
  static void expect_true(const MetricShape& shape, const std::vector<float>& rows,
                          const std::vector<float>& query, double tiny = 0) {
    const auto distances = measured(shape, rows, query);
    const auto truth = true_distances(shape.metric, rows, query);
    ASSERT_EQ(distances.size(), truth.size());
    const double allowed = allowed_error(shape.metric, shape.dimension);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      ASSERT_NEAR(distances[i], truth[i], allowed * truth[i] + tiny)
          << text_of(shape) << " row " << i;
    }
  }

 private:
  std::string before_{simd_target()};
};

TEST_P(Distances, EqualTheTwin) {
  for (const MetricShape& shape : all_shapes()) {
    for (const std::size_t count : Sizes{1, 2, 3, 4, 5, 11}) {
      expect_true(shape, clustered_rows(count, shape.dimension, count),
                  clustered_rows(1, shape.dimension, 99));
    }
  }
}

// One large difference, in every dimension in turn: none is forgotten or counted twice.
TEST_P(Distances, SeeEveryDimension) {
  for (const MetricShape& shape : all_shapes()) {
    std::vector<float> rows(shape.dimension * shape.dimension);
    for (std::size_t i = 0; i < shape.dimension; ++i) {
      rows[i * shape.dimension + i] = static_cast<float>(i + 1);
    }
    const std::vector<float> query(shape.dimension);
    const auto distances = measured(shape, rows, query);
    for (std::size_t i = 0; i < shape.dimension; ++i) {
      ASSERT_EQ(distances[i], static_cast<float>(i + 1)) << text_of(shape);
    }
  }
}

TEST_P(Distances, HoldForValuesOfEverySize) {
  const float least = std::numeric_limits<float>::denorm_min();
  for (const MetricShape& shape : all_shapes()) {
    const std::vector<float> zeros(shape.dimension);
    expect_true(shape, std::vector<float>(3 * shape.dimension), zeros);
    expect_true(shape, std::vector<float>(5 * shape.dimension, largest_value),
                std::vector<float>(shape.dimension, -largest_value));
    expect_true(shape, std::vector<float>(5 * shape.dimension, 7 * least), zeros, 1e-22);
    std::vector<float> mixed = clustered_rows(9, shape.dimension, 3);
    for (std::size_t i = 0; i < mixed.size(); i += 3) mixed[i] *= 1e12F;
    for (std::size_t i = 1; i < mixed.size(); i += 3) mixed[i] *= 1e-30F;
    expect_true(shape, mixed, zeros, 1e-22);
  }
}

TEST_P(Distances, AreTheSameForListedRowsAndOnEveryTarget) {
  for (const MetricShape& shape : all_shapes()) {
    const auto rows = clustered_rows(30, shape.dimension, 5);
    const auto query = clustered_rows(1, shape.dimension, 6);
    const auto distances = measured(shape, rows, query);

    RowStore store(shape.metric, shape.dimension);
    store.append(rows);
    const std::vector<std::uint32_t> some{29, 0, 0, 17, 3, 28, 11};
    std::vector<float> listed(some.size());
    store.measure(PlacedQuery(store.layout(), query), some, listed.data());
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(listed[i], distances[some[i]]);

    for (const std::string_view target : simd_targets()) {
      force_simd_target(target);
      EXPECT_EQ(measured(shape, rows, query), distances) << text_of(shape);
    }
    force_simd_target(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Distances, testing::ValuesIn(simd_targets()),
                         [](const auto& param) { return std::string(param.param); });

TEST(RowStore, GivesRowsBack) {
  for (const MetricShape& shape : all_shapes()) {
    const auto rows = clustered_rows(20, shape.dimension, 8);
    RowStore store(shape.metric, shape.dimension);
    store.append(std::span(rows).first(3 * shape.dimension));
    store.append(std::span(rows).subspan(3 * shape.dimension));
    ASSERT_EQ(store.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
      const auto row = row_of(rows, shape.dimension, i);
      EXPECT_EQ(store.row(i), std::vector<float>(row.begin(), row.end()));
    }
  }
}

}  // namespace
}  // namespace tsmini
