// Every operation alone: its gradient, and what it does where the whole network does not show it.
#include "learn/ops/ops.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "learn/gradients.h"
#include "learn/ops/positions.h"
#include "model/architecture.h"

namespace tsmini {
namespace {

using learn::Array;
using learn::Dropout;
using Tape = learn::Tape<double>;
using Inputs = std::vector<Array<double>>;

constexpr std::int64_t step_key = 0x1234567890abcdef;

Dropout dropout_of(float rate) {
  return {rate, &step_key, 3};
}

TEST(Ops, ProductGradient) {
  const Numbers x = random_numbers(70, 9, 1), weight = random_numbers(5, 9, 2);
  const Numbers bias = random_numbers(1, 5, 3), residual = random_numbers(70, 5, 4);
  expect_gradients([](Tape& tape, const Inputs& in) { return product(tape, in[0], in[1]); },
                   {x, weight});
  expect_gradients(
      [](Tape& tape, const Inputs& in) {
        return product(tape, in[0], in[1], {in[2], {}});
      },
      {x, weight, bias});
  expect_gradients(
      [](Tape& tape, const Inputs& in) {
        return product(tape, in[0], in[1], {in[2], in[3]});
      },
      {x, weight, bias, residual});
}

Array<double> batch_norm_of(Tape& tape, const Inputs& in) {
  const std::size_t channels = in[0].columns;
  const Array<double> running{tape.memory(2 * channels), 2, channels, nullptr};
  std::fill_n(running.data, 2 * channels, 1.0);
  return batch_norm(tape, in[0], in[1], in[2], running, {});
}

// More rows than one part of a sum over them has, so that parts are joined.
TEST(Ops, GradientsOfManyRows) {
  std::vector<int> many;
  for (int i = 0; i < 60; ++i) many.push_back(9 + i * 7 % 60);
  const Lengths lengths(many);
  const std::size_t rows = lengths.rows();
  ASSERT_GT(rows, 2 * 6 * block_rows);
  const Numbers x = random_numbers(rows, 4, 1), gain = random_numbers(1, 4, 2);
  expect_gradients(
      [&](Tape& tape, const Inputs& in) { return convolve(tape, in[0], in[1], lengths.packing()); },
      {x, random_numbers(3, 12, 2)});
  expect_gradients(
      [](Tape& tape, const Inputs& in) {
        return product(tape, in[0], in[1], {in[2], in[3]});
      },
      {x, random_numbers(3, 4, 2), random_numbers(1, 3, 3), random_numbers(rows, 3, 4)});
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return norm_product(tape, in[0], in[1], in[2]); },
      {x, gain, random_numbers(3, 4, 3)});
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return layer_norm(tape, in[0], in[1], in[2]); },
      {x, gain, random_numbers(1, 4, 3)});
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return feed_forward(tape, in[0], in[1], in[2], in[3]); },
      {x, gain, random_numbers(6, 4, 3), random_numbers(4, 3, 4)});
  expect_gradients(
      [](Tape& tape, const Inputs& in) {
        return residual_product(tape, in[0], in[1], in[2], dropout_of(0.3F));
      },
      {x, random_numbers(4, 4, 2), random_numbers(1, 4, 3)});
  expect_gradients(batch_norm_of, {x, gain, random_numbers(1, 4, 3)});
}

// A head works on up to 48 queries at a time: in two runs and in three, here.
TEST(Ops, AttentionGradientOfManyRows) {
  const Lengths lengths({50, 100});
  const std::vector<double> rotary = learn::rotary_table<double>(100);
  for (const bool turned : {true, false}) {
    for (const float rate : {0.0F, 0.3F}) {
      SCOPED_TRACE(testing::Message() << turned << " " << rate);
      expect_gradients(
          [&](Tape& tape, const Inputs& in) {
            return attention<double>(tape, in[0], turned ? rotary.data() : nullptr, {2, 1},
                                     lengths.packing(), dropout_of(rate));
          },
          {random_numbers(lengths.rows(), 4 * head_size, 1)});
    }
  }
}

// What is used twice gathers both gradients.
TEST(Ops, AnInputOfTwoGetsBothGradients) {
  const Numbers x = random_numbers(40, 8, 1), gain = random_numbers(1, 8, 2);
  const Numbers in = random_numbers(8, 8, 3), out = random_numbers(8, 8, 4);
  expect_gradients(
      [](Tape& tape, const Inputs& all) {
        return product(tape, norm_product(tape, all[0], all[1], all[2]), all[3], {{}, all[0]});
      },
      {x, gain, in, out});
  expect_gradients(
      [](Tape& tape, const Inputs& all) {
        return product(tape, layer_norm(tape, all[0], all[1], all[2]), all[3], {{}, all[0]});
      },
      {x, gain, random_numbers(1, 8, 5), out});
}

TEST(Ops, AConvolutionIsAProductOfThreeRowsSideBySide) {
  const Lengths lengths({5, 3, 4});
  const Numbers x = random_numbers(12, 2, 1), weight = random_numbers(3, 6, 2);
  const Numbers y = result_of(
      [&](Tape& tape, const Inputs& in) { return convolve(tape, in[0], in[1], lengths.packing()); },
      {x, weight});
  const std::vector<std::size_t> from = {0, 1, 2, 5, 8, 9};
  ASSERT_EQ(y.rows, from.size());
  for (std::size_t r = 0; r < from.size(); ++r) {
    for (std::size_t o = 0; o < 3; ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i)
        sum += weight.values[o * 6 + i] * x.values[from[r] * 2 + i];
      EXPECT_NEAR(y.values[r * 3 + o], sum, 1e-12);
    }
  }
}

TEST(Ops, ConvolveGradient) {
  for (const std::size_t lost : {0U, 2U, 4U}) {
    const Lengths lengths({7, 9, 12}, lost);
    expect_gradients(
        [&](Tape& tape, const Inputs& in) {
          return convolve(tape, in[0], in[1], lengths.packing());
        },
        {random_numbers(lengths.rows(), 5, 1), random_numbers(4, 15, 2)});
  }
}

TEST(Ops, BatchNormGradient) {
  expect_gradients(batch_norm_of, {random_numbers(22, 6, 1, 3, 5), random_numbers(1, 6, 2),
                                   random_numbers(1, 6, 3)});
}

// A mean far above the deviation must not eat the digits of the variance.
TEST(Ops, BatchNormInSinglePrecisionFarFromZero) {
  Numbers x = random_numbers(2000, 4, 1, 0.01, 100);
  for (double& value : x.values) value = double{static_cast<float>(value)};
  const auto norm = [&]<typename T>(T) {
    return with_gradients<T>(
        [](learn::Tape<T>& tape, const std::vector<Array<T>>& in) {
          Array<T> running{tape.memory(8), 2, 4, nullptr};
          std::fill_n(running.data, 8, T{1});
          return batch_norm(tape, in[0], in[1], in[2], running, {});
        },
        {x, constant(1, 4, 1), constant(1, 4, 0)}, constant(1, 1, 1))[0];
  };
  EXPECT_LT(relative_error(norm(float{}), norm(double{})), 2e-3);
}

TEST(Ops, LayerNormGradient) {
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return layer_norm(tape, in[0], in[1], in[2]); },
      {random_numbers(70, 6, 1, 2, 3), random_numbers(1, 6, 2), random_numbers(1, 6, 3)});
}

TEST(Ops, ReluGradient) {
  expect_gradients([](Tape& tape, const Inputs& in) { return relu(tape, in[0]); },
                   {random_numbers(9, 7, 1)});
}

TEST(Ops, NormProductGradient) {
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return norm_product(tape, in[0], in[1], in[2]); },
      {random_numbers(70, 32, 1), random_numbers(1, 32, 2), random_numbers(7, 32, 3)});
}

TEST(Ops, FeedForwardGradient) {
  expect_gradients(
      [](Tape& tape, const Inputs& in) { return feed_forward(tape, in[0], in[1], in[2], in[3]); },
      {random_numbers(70, 8, 1), random_numbers(1, 8, 2), random_numbers(14, 8, 3),
       random_numbers(8, 7, 4)});
}

TEST(Ops, ResidualProductGradient) {
  for (const float rate : {0.0F, 0.3F}) {
    expect_gradients(
        [&](Tape& tape, const Inputs& in) {
          return residual_product(tape, in[0], in[1], in[2], dropout_of(rate));
        },
        {random_numbers(30, 12, 1), random_numbers(12, 12, 2), random_numbers(1, 12, 3)});
  }
}

// Zeros times anything, and a bias of one: what dropout leaves of ones.
Numbers dropped(const Dropout& dropout) {
  return result_of(
      [&](Tape& tape, const Inputs& in) {
        return residual_product(tape, in[0], in[1], in[2], dropout);
      },
      {constant(1000, 200, 0), constant(200, 200, 0), constant(1, 200, 1)});
}

TEST(Ops, DropoutLeavesOutAShareAndKeepsTheMean) {
  const Numbers kept = dropped(dropout_of(0.3F));
  double zeros = 0, sum = 0;
  for (const double value : kept.values) {
    zeros += value == 0 ? 1 : 0;
    sum += value;
  }
  const auto count = static_cast<double>(kept.values.size());
  EXPECT_NEAR(zeros / count, 0.3, 0.005);
  EXPECT_NEAR(sum / count, 1, 0.007);
  EXPECT_NEAR(kept.largest(), 1 / 0.7, 1e-6);
  EXPECT_EQ(kept, dropped(dropout_of(0.3F)));
  constexpr std::int64_t other_key = 1;
  EXPECT_NE(kept, dropped({0.3F, &other_key, 3}));
  EXPECT_NE(kept, dropped({0.3F, &step_key, 4}));
  EXPECT_EQ(dropped(dropout_of(0)), constant(1000, 200, 1));
}

TEST(Ops, AttentionGradient) {
  const Lengths lengths({7, 8, 11}, 6);  // of 1, 2 and 5 sub-views
  const std::vector<double> rotary = learn::rotary_table<double>(16);
  for (const std::size_t key_heads : {4U, 2U, 1U}) {
    for (const bool turned : {true, false}) {
      for (const float rate : {0.0F, 0.3F}) {
        SCOPED_TRACE(testing::Message() << key_heads << " " << turned << " " << rate);
        expect_gradients(
            [&](Tape& tape, const Inputs& in) {
              return attention<double>(tape, in[0], turned ? rotary.data() : nullptr,
                                       {4, key_heads}, lengths.packing(), dropout_of(rate));
            },
            {random_numbers(lengths.rows(), (4 + 2 * key_heads) * head_size, 1)});
      }
    }
  }
}

// Queries of zero attend to all rows of their trajectory alike, so that the result is the mean of
// the values that dropout leaves.
TEST(Ops, AttentionDropsByPlace) {
  const Lengths lengths({5, 3});
  constexpr std::size_t rows = 8, width = 2 * head_size;
  const Numbers values = random_numbers(rows, width, 1);
  Numbers qkv = constant(rows, 3 * width, 0);
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(values.values.begin() + static_cast<std::ptrdiff_t>(r * width), width,
                qkv.values.begin() + static_cast<std::ptrdiff_t>((3 * r + 2) * width));
  const Dropout dropout = dropout_of(0.3F);
  const Numbers out = result_of(
      [&](Tape& tape, const Inputs& in) {
        return attention<double>(tape, in[0], nullptr, {2, 2}, lengths.packing(), dropout);
      },
      {qkv});
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row < 5 ? 0 : 5, length = row < 5 ? 5 : 3;
    for (std::size_t c = 0; c < width; ++c) {
      double expected = 0;
      for (std::size_t j = 0; j < length; ++j)
        expected += values.values[(first + j) * width + c] *
                    double{dropout.factor(attention_place(c / head_size, row, j))} /
                    static_cast<double>(length);
      EXPECT_NEAR(out.values[row * width + c], expected, 1e-12);
    }
  }
}

TEST(Ops, LookUpGradient) {
  // Points in cells of a grid of 4 by 4, some known, some not, some twice.
  CellGrid grid;
  grid.columns = grid.rows = 4;
  const std::vector<std::int64_t> known = {1, 5, 6, 15};
  std::vector<double> points = {0.3, 0.1, 0.3, 0.3, 0.6, 0.4, 0.9, 0.9, 0.3, 0.1, 0.9, 0.1};
  expect_gradients(
      [&](Tape& tape, const Inputs& in) {
        const Array<double> rows{points.data(), 6, 2, nullptr};
        return look_up<double>(tape, rows, in[0], grid, known, {});
      },
      {random_numbers(5, 3, 1)});
}

TEST(Ops, PoolGradient) {
  const Lengths lengths({7, 8, 12, 30}, 6);
  for (unsigned bits = 1; bits < 32; ++bits) {
    SCOPED_TRACE(bits);
    expect_gradients(
        [&](Tape& tape, const Inputs& in) { return pool(tape, in[0], bits, lengths.packing()); },
        {random_numbers(lengths.rows(), 3, bits)});
  }
}

TEST(Ops, UnitNormGradient) {
  expect_gradients([](Tape& tape, const Inputs& in) { return unit_norm(tape, in[0]); },
                   {random_numbers(5, 9, 1, 3)});
}

// An embedding of nothing but zeros has no direction; it must not become NaN.
TEST(Ops, UnitNormOfZero) {
  const auto result =
      with_gradients<double>([](Tape& tape, const Inputs& in) { return unit_norm(tape, in[0]); },
                             {constant(2, 4, 0)}, constant(1, 1, 1));
  EXPECT_EQ(result[0].largest(), 0);
  EXPECT_LT(result[1].largest(), std::numeric_limits<double>::infinity());
}

std::vector<EmbeddingMetric> metrics() {
  return {{MetricKind::l1, 16},        {MetricKind::l2, 16},       {MetricKind::linf, 16},
          {MetricKind::chebyshev, 16}, {MetricKind::chebyshev, 1}, {MetricKind::chebyshev, 32}};
}

TEST(Ops, PairDistancesGradient) {
  for (const EmbeddingMetric& metric : metrics()) {
    expect_gradients(
        [&](Tape& tape, const Inputs& in) { return pair_distances(tape, in[0], metric); },
        {random_numbers(5, 32, 1)});
  }
}

TEST(Ops, PairDistancesAgreeWithTheOneOfEmbeddings) {
  const Numbers x = random_numbers(5, 32, 1);
  const std::vector<float> rows(x.values.begin(), x.values.end());
  const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * 32, 32); };
  for (const EmbeddingMetric& metric : metrics()) {
    const Numbers d = result_of(
        [&](Tape& tape, const Inputs& in) { return pair_distances(tape, in[0], metric); }, {x});
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j)
        EXPECT_NEAR(d.values[i * 5 + j], embedding_distance(metric, row(i), row(j)), 1e-5);
    }
  }
}

// Equal embeddings lie on a kink of every metric; training meets them with duplicates in the data.
TEST(Ops, PairDistancesOfEqualEmbeddingsHaveFiniteGradients) {
  Numbers x = random_numbers(1, 32, 1);
  const std::vector<double> one = x.values;
  for (int i = 0; i < 2; ++i) x.values.insert(x.values.end(), one.begin(), one.end());
  x.rows = 3;
  for (const EmbeddingMetric& metric : metrics()) {
    const auto result = with_gradients<double>(
        [&](Tape& tape, const Inputs& in) { return pair_distances(tape, in[0], metric); }, {x},
        constant(1, 1, 1));
    EXPECT_EQ(result[0].largest(), 0);
    EXPECT_EQ(result[1].largest(), 0);
  }
}

}  // namespace
}  // namespace tsmini
