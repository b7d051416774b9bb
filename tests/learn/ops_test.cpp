// Every operation alone: its gradient, and what it does where the whole network does not show it.
#include "learn/ops/ops.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "learn/gradients.h"
#include "learn/layers.h"
#include "learn/place_uniform.h"
#include "learn/reference_net.h"
#include "learn/small_batch.h"

namespace tsmini {
namespace {

using learn::Dropout;
using learn::Packing;
using Inputs = std::vector<at::Tensor>;

Dropout dropout_of(double rate) {
  return {rate, at::full({1}, 0x1234567890abcdef, at::kLong), 3};
}

TEST(Ops, WindowsAreThreeRowsSideBySide) {
  const Packing packing = packing_of({5, 3, 4});
  const at::Tensor x = random_tensor({12, 2}, 1), y = learn::windows(x, packing);
  const std::vector<int> from = {0, 1, 2, 5, 8, 9};
  ASSERT_EQ(y.size(0), 6);
  for (std::size_t r = 0; r < from.size(); ++r)
    EXPECT_TRUE(at::equal(y[static_cast<int>(r)], x.narrow(0, from[r], 3).reshape({6})));
}

TEST(Ops, WindowsGradient) {
  for (const int lost : {0, 2, 4}) {
    const Packing packing = packing_of({7, 9, 12}, lost);
    expect_gradients([&](const Inputs& in) { return learn::windows(in[0], packing); },
                     {random_tensor({packing.rows(), 5}, 1)});
  }
}

TEST(Ops, BatchNormGradient) {
  const Packing packing = packing_of({7, 9, 12}, 2);
  expect_gradients(
      [&](const Inputs& in) {
        return learn::batch_norm(in[0], in[1], in[2], at::ones({2, 6}, at::kDouble), packing);
      },
      {random_tensor({packing.rows(), 6}, 1) * 3 + 5, random_tensor({6}, 2),
       random_tensor({6}, 3)});
}

// A mean far above the deviation must not eat the digits of the variance.
TEST(Ops, BatchNormInSinglePrecisionFarFromZero) {
  const Packing packing = packing_of({1000, 1000});
  const at::Tensor x = random_tensor({2000, 4}, 1) * 0.01 + 100;
  const auto norm = [&](at::ScalarType type) {
    return learn::batch_norm(x.to(at::kFloat).to(type), at::ones({4}, type), at::zeros({4}, type),
                             at::ones({2, 4}, type), packing);
  };
  EXPECT_LT(relative_error(norm(at::kFloat), norm(at::kDouble)), 2e-3);
}

TEST(Ops, RmsNormGradient) {
  expect_gradients([&](const Inputs& in) { return learn::rms_norm(in[0], in[1]); },
                   {random_tensor({70, 32}, 1), random_tensor({32}, 2)});
}

TEST(Ops, GateGradient) {
  expect_gradients([&](const Inputs& in) { return learn::gate(in[0]); },
                   {random_tensor({70, 14}, 1) * 2});
}

TEST(Ops, ResidualReluGradient) {
  for (const double rate : {0.0, 0.3}) {
    expect_gradients(
        [&](const Inputs& in) { return learn::residual_relu(in[0], in[1], dropout_of(rate)); },
        {random_tensor({9, 12}, 1), random_tensor({9, 12}, 2)});
  }
}

TEST(Ops, DropoutLeavesOutAShareAndKeepsTheMean) {
  const at::Tensor zero = at::zeros({1000, 200}, at::kDouble), one = at::ones_like(zero);
  const at::Tensor kept = learn::residual_relu(zero, one, dropout_of(0.3));
  EXPECT_NEAR((kept == 0).to(at::kDouble).mean().item<double>(), 0.3, 0.005);
  EXPECT_NEAR(kept.mean().item<double>(), 1, 0.007);
  EXPECT_NEAR(kept.max().item<double>(), 1 / 0.7, 1e-6);
  EXPECT_TRUE(at::equal(kept, learn::residual_relu(zero, one, dropout_of(0.3))));
  Dropout other = dropout_of(0.3);
  other.key = at::full({1}, 1, at::kLong);
  EXPECT_FALSE(at::equal(kept, learn::residual_relu(zero, one, other)));
  EXPECT_TRUE(at::equal(one, learn::residual_relu(zero, one, dropout_of(0))));
}

TEST(Ops, AttentionGradient) {
  const Packing packing = packing_of({7, 8, 11}, 6);  // of 1, 2 and 5 sub-views
  const at::Tensor rotary = learn::rotary_table(16, at::kDouble);
  for (const int key_heads : {4, 2, 1}) {
    for (const bool turned : {true, false}) {
      for (const double rate : {0.0, 0.3}) {
        SCOPED_TRACE(testing::Message() << key_heads << " " << turned << " " << rate);
        expect_gradients(
            [&](const Inputs& in) {
              return learn::attention(in[0], turned ? rotary : at::Tensor(), 4, key_heads, packing,
                                      dropout_of(rate));
            },
            {random_tensor({packing.rows(), (4 + 2 * key_heads) * 32}, 1)});
      }
    }
  }
}

// Queries of zero attend to all rows of their trajectory alike, so that the result is the mean of
// the values that dropout leaves.
TEST(Ops, AttentionDropsByPlace) {
  const Packing packing = packing_of({5, 3});
  const at::Tensor values = random_tensor({8, 64}, 1);
  const at::Tensor qkv = at::cat({at::zeros({8, 128}, at::kDouble), values}, 1);
  const Dropout dropout = dropout_of(0.3);
  const at::Tensor out = learn::attention(qkv, {}, 2, 2, packing, dropout);
  for (int row = 0; row < 8; ++row) {
    const int first = row < 5 ? 0 : 5, length = row < 5 ? 5 : 3;
    for (int h = 0; h < 2; ++h) {
      at::Tensor expected = at::zeros({32}, at::kDouble);
      for (int j = 0; j < length; ++j) {
        const float factor = dropout_factor(0.3F, *dropout.key.data_ptr<std::int64_t>(),
                                            dropout.salt, attention_place(h, row, j));
        expected += values[first + j].narrow(0, h * 32, 32) * static_cast<double>(factor) / length;
      }
      EXPECT_LT(relative_error(out[row].narrow(0, h * 32, 32), expected), 1e-12);
    }
  }
}

TEST(Ops, PoolGradient) {
  const Packing packing = packing_of({7, 8, 12, 30}, 6);
  for (unsigned bits = 1; bits < 32; ++bits) {
    SCOPED_TRACE(bits);
    expect_gradients([&](const Inputs& in) { return learn::pool(in[0], bits, packing); },
                     {random_tensor({packing.rows(), 3}, bits)});
  }
}

std::vector<EmbeddingMetric> metrics() {
  return {{MetricKind::l1, 16},        {MetricKind::l2, 16},       {MetricKind::linf, 16},
          {MetricKind::chebyshev, 16}, {MetricKind::chebyshev, 1}, {MetricKind::chebyshev, 32}};
}

TEST(Ops, PairDistancesGradient) {
  for (const EmbeddingMetric& metric : metrics()) {
    expect_gradients([&](const Inputs& in) { return learn::pair_distances(in[0], metric); },
                     {random_tensor({5, 32}, 1)});
  }
}

TEST(Ops, PairDistancesAgreeWithTheOneOfEmbeddings) {
  const at::Tensor x = random_tensor({5, 32}, 1).to(at::kFloat);
  const auto row = [&](int i) {
    return std::span<const float>(x.data_ptr<float>() + i * 32, std::size_t{32});
  };
  for (const EmbeddingMetric& metric : metrics()) {
    const at::Tensor d = learn::pair_distances(x, metric);
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j)
        EXPECT_NEAR(d[i][j].item<double>(), embedding_distance(metric, row(i), row(j)), 1e-5);
    }
  }
}

// Equal embeddings lie on a kink of every metric; training meets them with duplicates in the data.
TEST(Ops, PairDistancesOfEqualEmbeddingsHaveFiniteGradients) {
  const at::Tensor x = random_tensor({1, 32}, 1).repeat({3, 1});
  for (const EmbeddingMetric& metric : metrics()) {
    const auto result =
        with_gradients([&](const Inputs& in) { return learn::pair_distances(in[0], metric); }, {x},
                       at::ones({1}, at::kDouble));
    EXPECT_EQ(result[0].abs().max().item<double>(), 0);
    EXPECT_EQ(result[1].abs().max().item<double>(), 0);
  }
}

}  // namespace
}  // namespace tsmini
