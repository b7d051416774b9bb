// Every operation at the sizes of real batches and at odd ones: the same to the bit for any number
// of threads, in single as in double precision, and on every SIMD target.
#include <cmath>

#include <gtest/gtest.h>

#include "tsmini/pairs.h"

#include "learn/gradients.h"
#include "learn/layers.h"
#include "learn/small_batch.h"
#include "learn/threads.h"

namespace tsmini {
namespace {

using Inputs = std::vector<at::Tensor>;
using learn::Packing;

struct NamedOperation {
  std::string name;
  Operation operation;
  Inputs inputs;  // rounded to single precision
};

Packing many_lengths() {
  std::vector<int> lengths;
  for (int i = 0; i < 64; ++i) lengths.push_back(7 + i * 37 % 90);
  return packing_of(lengths, 4);
}

class Operations {
 public:
  explicit Operations(at::ScalarType type) : type_(type) {}

  std::vector<NamedOperation> all() {
    const Packing packing = many_lengths();
    for (const std::int64_t channels : {16, 7})
      add("windows", {of_rows(channels)},
          [=](const Inputs& in) { return learn::windows(in[0], packing); });
    for (const std::int64_t channels : {32, 128, 7})
      add("batch_norm", {of_rows(channels), random(channels, 2), random(channels, 3)},
          [=](const Inputs& in) {
            const at::Tensor running = at::ones({2, channels}, in[0].options());
            return learn::batch_norm(in[0], in[1], in[2], running, packing);
          });
    for (const std::int64_t channels : {128, 33})
      add("rms_norm", {of_rows(channels), random(channels, 2)},
          [=](const Inputs& in) { return learn::rms_norm(in[0], in[1]); });
    for (const std::int64_t half : {96, 7})
      add("gate", {of_rows(2 * half) * 4}, [=](const Inputs& in) { return learn::gate(in[0]); });
    add("residual_relu", {of_rows(128), random_tensor({packing.rows(), 128}, 2)},
        [=](const Inputs& in) { return learn::residual_relu(in[0], in[1], dropout(0.1)); });
    for (const std::int64_t key_heads : {4, 2}) {
      for (const bool turned : {true, false}) {
        const at::Tensor rotary =
            turned ? learn::rotary_table(256, at::TensorOptions(type_)) : at::Tensor();
        const double rate = turned ? 0.1 : 0;
        add("attention", {of_rows((4 + 2 * key_heads) * 32)}, [=](const Inputs& in) {
          return learn::attention(in[0], rotary, 4, key_heads, packing, dropout(rate));
        });
      }
    }
    for (const auto& [ins, outs] : {std::pair{16, 32}, {64, 128}, {7, 33}})
      add("convolve", {of_rows(ins), matrix(outs, 3 * ins, 2)},
          [=](const Inputs& in) { return learn::convolve(in[0], in[1], packing); });
    for (const std::int64_t channels : {128, 33}) {
      add("residual_product",
          {of_rows(channels), matrix(channels, channels, 2), random(channels, 3)},
          [=](const Inputs& in) {
            return learn::residual_product(in[0], in[1], in[2], dropout(0.1));
          });
      for (const std::int64_t outs : {384, 1}) {
        add("norm_product", {of_rows(channels), random(channels, 2), matrix(outs, channels, 3)},
            [=](const Inputs& in) { return learn::norm_product(in[0], in[1], in[2]); });
        add("add_product", {of_rows(outs), of_rows(channels), matrix(outs, channels, 3)},
            [=](const Inputs& in) { return learn::add_product(in[0], in[1], in[2]); });
      }
      for (const std::int64_t hidden : {384, 5})
        add("feed_forward",
            {of_rows(channels), random(channels, 2), matrix(2 * hidden, channels, 3),
             matrix(channels, hidden, 4)},
            [=](const Inputs& in) { return learn::feed_forward(in[0], in[1], in[2], in[3]); });
    }
    for (const unsigned bits : {1U, 31U})
      add("pool", {of_rows(128)},
          [=](const Inputs& in) { return learn::pool(in[0], bits, packing); });
    for (const std::int64_t dimension : {128, 30}) {
      for (const auto& [kind, group] : {std::pair{MetricKind::l1, 1U},
                                        {MetricKind::l2, 1U},
                                        {MetricKind::linf, 1U},
                                        {MetricKind::chebyshev, dimension == 30 ? 15U : 16U},
                                        {MetricKind::chebyshev, 2U}}) {
        const EmbeddingMetric metric{kind, group};
        add("pair_distances " + std::string(name_of(kind)), {random_tensor({65, dimension}, 1)},
            [=](const Inputs& in) { return learn::pair_distances(in[0], metric); });
      }
    }
    const at::Tensor labels = random_tensor({64, 64}, 5).abs().to(at::kFloat).to(type_);
    add("similarity_loss", {random_tensor({64, 64}, 1).abs()}, [=](const Inputs& in) {
      return learn::similarity_loss(in[0], labels, at::full({1}, 5, in[0].options()), {});
    });
    return operations_;
  }

 private:
  static at::Tensor random(std::int64_t size, std::uint64_t seed) {
    return random_tensor({size}, seed);
  }
  static at::Tensor matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    return random_tensor({rows, columns}, seed) / std::sqrt(static_cast<double>(columns));
  }
  static at::Tensor of_rows(std::int64_t columns) {
    return random_tensor({many_lengths().rows(), columns}, 1);
  }
  static learn::Dropout dropout(double rate) {
    return {rate, at::full({1}, 0x1234567890abcdef, at::kLong), 3};
  }

  void add(const std::string& name, const Inputs& inputs, const Operation& operation) {
    operations_.push_back({name, operation, {}});
    for (const at::Tensor& input : inputs)
      operations_.back().inputs.push_back(input.to(at::kFloat).to(type_));
  }

  at::ScalarType type_;
  std::vector<NamedOperation> operations_;
};

// The result and the gradients by all inputs.
std::vector<at::Tensor> run(const NamedOperation& named) {
  return with_gradients(named.operation, named.inputs,
                        at::full({}, 0.7, named.inputs[0].options()));
}

TEST(Agreement, OfAnyNumberOfThreadsToTheBit) {
  for (const NamedOperation& named : Operations(at::kFloat).all()) {
    SCOPED_TRACE(named.name);
    std::vector<std::vector<at::Tensor>> results;
    for (const int threads : {1, 2, 3, 5}) {
      const WithThreads guard(threads);
      results.push_back(run(named));
    }
    for (std::size_t i = 1; i < results.size(); ++i) {
      for (std::size_t part = 0; part < results[0].size(); ++part)
        EXPECT_TRUE(at::equal(results[i][part], results[0][part])) << "part " << part;
    }
  }
}

TEST(Agreement, OfSingleWithDoublePrecisionOnEveryTarget) {
  const auto exact = Operations(at::kDouble).all(), single = Operations(at::kFloat).all();
  std::vector<std::vector<at::Tensor>> expected;
  for (const NamedOperation& named : exact) expected.push_back(run(named));
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (std::size_t i = 0; i < single.size(); ++i) {
      SCOPED_TRACE(testing::Message() << single[i].name << ", number " << i << ", " << target);
      const std::vector<at::Tensor> in_single = run(single[i]), in_double = run(exact[i]);
      for (std::size_t part = 0; part < expected[i].size(); ++part) {
        EXPECT_LT(relative_error(in_single[part], expected[i][part]), 2e-5) << "part " << part;
        EXPECT_LT(relative_error(in_double[part], expected[i][part]), 1e-11) << "part " << part;
      }
    }
  }
  force_simd_target(simd_targets().front());
}

}  // namespace
}  // namespace tsmini
