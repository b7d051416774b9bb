#include "tsmini/evaluate.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/calibration.h"
#include "tsmini/encoder.h"
#include "tsmini/medoids.h"
#include "tsmini/pair_engine.h"
#include "tsmini/rand_index.h"

#include "encode/random_model.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

class Evaluate : public testing::Test {
 protected:
  static std::vector<std::size_t> lengths() {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < 160; ++i) all.push_back(5 + i % 30);
    return all;
  }

  // More than 50 others for each: among fewer, every answer is a hit for hr50 and r10at50.
  std::vector<std::size_t> every_other() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < data_.size(); i += 2) indices.push_back(i);
    return indices;
  }

  struct Distances {
    std::vector<float> predicted, truth;  // queries × all, row-major
  };
  // Pair by pair.
  Distances distances(const std::vector<std::size_t>& indices, std::size_t queries) const {
    const Encoder encoder(model_);
    const std::size_t n = indices.size(), dimension = encoder.dimension();
    std::vector<float> e(n * dimension);
    encoder.embed(data_, indices, e);
    const PlanarSet trips(data_, model_.space, indices);
    const auto row = [&](std::size_t r) { return std::span(e).subspan(r * dimension, dimension); };
    Distances all;
    for (std::size_t q = 0; q < queries; ++q) {
      for (std::size_t i = 0; i < n; ++i) {
        all.predicted.push_back(
            static_cast<float>(embedding_distance(model_.net.metric, row(q), row(i))));
        all.truth.push_back(static_cast<float>(distance(model_.measure, trips[q], trips[i])));
      }
    }
    return all;
  }

  RetrievalScore expected(const std::vector<std::size_t>& indices, std::size_t queries) const {
    const std::size_t n = indices.size();
    const Distances all = distances(indices, queries);
    RetrievalMeter meter;
    for (std::size_t q = 0; q < queries; ++q)
      meter.add(q, std::span(all.predicted).subspan(q * n, n),
                std::span(all.truth).subspan(q * n, n));
    return meter.score();
  }

  static void expect_same(const RetrievalScore& got, const RetrievalScore& expected) {
    EXPECT_EQ(got.queries, expected.queries);
    EXPECT_EQ(got.base, expected.base);
    EXPECT_DOUBLE_EQ(got.hr1, expected.hr1);
    EXPECT_DOUBLE_EQ(got.hr5, expected.hr5);
    EXPECT_DOUBLE_EQ(got.hr10, expected.hr10);
    EXPECT_DOUBLE_EQ(got.hr50, expected.hr50);
    EXPECT_DOUBLE_EQ(got.r10at50, expected.r10at50);
    EXPECT_DOUBLE_EQ(got.rerank50, expected.rerank50);
  }

  Model model_ = random_model();
  Dataset data_ = random_trips(lengths());
};

TEST_F(Evaluate, IsWhatPairByPairGives) {
  const std::vector<std::size_t> indices = every_other();
  const Evaluation got = evaluate(model_, data_, indices);
  expect_same(got.score, expected(indices, indices.size()));
  for (const double share : {got.score.hr1, got.score.hr5, got.score.hr10, got.score.hr50,
                             got.score.r10at50, got.score.rerank50}) {
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 1) << "every answer is a hit: the comparison says nothing";
  }
  const std::size_t n = indices.size();
  const Distances all = distances(indices, n);
  const std::uint64_t seed = EvaluateRequest{}.seed;
  ASSERT_TRUE(got.rand_index.has_value());
  EXPECT_DOUBLE_EQ(*got.rand_index, rand_index(k_medoids(all.predicted, n, 10, seed),
                                               k_medoids(all.truth, n, 10, seed)));
  EXPECT_LT(*got.rand_index, 1);
  // True distances are in single precision there.
  EXPECT_NEAR(got.relative_error,
              median_relative_error(all.predicted, all.truth, model_.calibration), 1e-5);
}

TEST_F(Evaluate, ALimitOfQueriesLeavesTheBaseWhole) {
  const std::vector<std::size_t> indices = every_other();
  EvaluateRequest request;
  request.limit = 7;
  const Evaluation got = evaluate(model_, data_, indices, request);
  EXPECT_EQ(got.score.queries, 7U);
  EXPECT_EQ(got.score.base, indices.size() - 1);
  expect_same(got.score, expected(indices, 7));
  EXPECT_FALSE(got.rand_index.has_value());
}

// Distances from elsewhere: here, those of embeddings themselves, which no model can miss.
TEST_F(Evaluate, TruthMayComeFromElsewhere) {
  const std::vector<std::size_t> indices = every_other();
  std::vector<float> e(indices.size() * model_.net.dimension);
  Encoder(model_).embed(data_, indices, e);
  EvaluateRequest request;
  request.truth = [&](const PlanarSet& base) -> DistanceRows {
    EXPECT_EQ(base.size(), indices.size());
    return [&](const PlanarSet& queries, std::span<float> distances) {
      ASSERT_EQ(queries.size(), indices.size());
      const std::size_t n = indices.size(), dimension = model_.net.dimension;
      for (std::size_t i = 0; i < n * n; ++i) {
        distances[i] = static_cast<float>(embedding_distance(
            model_.net.metric, std::span(e).subspan(i / n * dimension, dimension),
            std::span(e).subspan(i % n * dimension, dimension)));
      }
    };
  };
  model_.calibration = {};
  const Evaluation got = evaluate(model_, data_, indices, request);
  EXPECT_EQ(got.score.hr10, 1);
  EXPECT_EQ(got.score.hr1, 1);
  EXPECT_NEAR(got.relative_error, 0, 1e-6);
  EXPECT_NEAR(got.near_relative_error, 0, 1e-6);
  EXPECT_EQ(got.rand_index, 1);
}

TEST_F(Evaluate, TruthMayBeKnown) {
  const std::vector<std::size_t> indices = every_other();
  const std::size_t n = indices.size();
  std::vector<float> known(n * n);
  PairEngine(model_.measure, PlanarSet(data_, model_.space, indices))
      .many_to_many(PlanarSet(data_, model_.space, indices), known);
  EvaluateRequest request;
  request.known = known;
  const Evaluation got = evaluate(model_, data_, indices, request);
  expect_same(got.score, expected(indices, n));
  EXPECT_EQ(got.rand_index, evaluate(model_, data_, indices).rand_index);
  request.known = std::span(known).first(n);
  expect_error(ErrorCode::usage, "known distances do not fit", "all to all",
               [&] { evaluate(model_, data_, indices, request); });
}

TEST_F(Evaluate, OneTripHasNothingToBeComparedWith) {
  const std::vector<std::size_t> one = {0};
  expect_error(ErrorCode::bad_input, "1 trip to compare: two are needed", "another part",
               [&] { evaluate(model_, data_, one); });
}

}  // namespace
}  // namespace tsmini
