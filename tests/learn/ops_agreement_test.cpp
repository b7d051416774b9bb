// Every operation at the sizes of real batches and at odd ones: the same to the bit for any number
// of threads, in single as in double precision, and on every SIMD target.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "learn/gradients.h"
#include "learn/ops/positions.h"
#include "learn/threads.h"
#include "model/architecture.h"

namespace tsmini {
namespace {

using learn::Array;
using learn::Dropout;

template <typename T>
struct NamedOperation {
  std::string name;
  Operation<T> operation;
  std::vector<Numbers> inputs;  // rounded to single precision
};

const Lengths& many_lengths() {
  static const Lengths lengths = [] {
    std::vector<int> all;
    for (int i = 0; i < 64; ++i) all.push_back(7 + i * 37 % 90);
    return Lengths(all, 4);
  }();
  return lengths;
}

template <typename T>
class Operations {
 public:
  using Tape = learn::Tape<T>;
  using Inputs = std::vector<Array<T>>;

  std::vector<NamedOperation<T>> all() {
    const learn::Packing packing = many_lengths().packing();
    for (const std::size_t channels : {32U, 128U, 7U}) {
      add("batch_norm", {of_rows(channels), row(channels, 2), row(channels, 3)},
          [](Tape& tape, const Inputs& in) {
            const std::size_t width = in[0].columns;
            const Array<T> running{tape.memory(2 * width), 2, width, nullptr};
            std::fill_n(running.data, 2 * width, T{1});
            return batch_norm(tape, in[0], in[1], in[2], running, {});
          });
      add("layer_norm", {of_rows(channels), row(channels, 2), row(channels, 3)},
          [](Tape& tape, const Inputs& in) { return layer_norm(tape, in[0], in[1], in[2]); });
    }
    add("relu", {of_rows(128)}, [](Tape& tape, const Inputs& in) { return relu(tape, in[0]); });
    add("unit_norm", {of_rows(128)},
        [](Tape& tape, const Inputs& in) { return unit_norm(tape, in[0]); });
    for (const std::size_t key_heads : {4U, 2U}) {
      for (const bool turned : {true, false}) {
        const std::vector<T> rotary = learn::rotary_table<T>(turned ? 256 : 0);
        add("attention", {of_rows((4 + 2 * key_heads) * head_size)},
            [=](Tape& tape, const Inputs& in) {
              return attention<T>(tape, in[0], turned ? rotary.data() : nullptr, {4, key_heads},
                                  packing, dropout(turned ? 0.1F : 0));
            });
      }
    }
    for (const auto& [ins, outs] : {std::pair{16U, 32U}, {64U, 128U}, {7U, 33U}})
      add("convolve", {of_rows(ins), matrix(outs, 3 * ins, 2)},
          [=](Tape& tape, const Inputs& in) { return convolve(tape, in[0], in[1], packing); });
    for (const std::size_t channels : {128U, 33U}) {
      add("residual_product", {of_rows(channels), matrix(channels, channels, 2), row(channels, 3)},
          [](Tape& tape, const Inputs& in) {
            return residual_product(tape, in[0], in[1], in[2], dropout(0.1F));
          });
      for (const std::size_t outs : {384U, 1U}) {
        add("norm_product", {of_rows(channels), row(channels, 2), matrix(outs, channels, 3)},
            [](Tape& tape, const Inputs& in) { return norm_product(tape, in[0], in[1], in[2]); });
        add("product", {of_rows(channels), matrix(outs, channels, 3), row(outs, 4), of_rows(outs)},
            [](Tape& tape, const Inputs& in) {
              return product(tape, in[0], in[1], {in[2], in[3]});
            });
      }
      for (const std::size_t hidden : {384U, 5U})
        add("feed_forward",
            {of_rows(channels), row(channels, 2), matrix(2 * hidden, channels, 3),
             matrix(channels, hidden, 4)},
            [](Tape& tape, const Inputs& in) {
              return feed_forward(tape, in[0], in[1], in[2], in[3]);
            });
    }
    for (const unsigned bits : {1U, 31U})
      add("pool", {of_rows(128)},
          [=](Tape& tape, const Inputs& in) { return pool(tape, in[0], bits, packing); });
    for (const std::size_t dimension : {128U, 30U}) {
      for (const auto& [kind, group] : {std::pair{MetricKind::l1, 1U},
                                        {MetricKind::l2, 1U},
                                        {MetricKind::linf, 1U},
                                        {MetricKind::chebyshev, dimension == 30 ? 15U : 16U},
                                        {MetricKind::chebyshev, 2U}}) {
        const EmbeddingMetric metric{kind, group};
        add("pair_distances " + std::string(name_of(kind)), {random_numbers(65, dimension, 1)},
            [=](Tape& tape, const Inputs& in) { return pair_distances(tape, in[0], metric); });
      }
    }
    return std::move(operations_);
  }

 private:
  static Numbers row(std::size_t size, std::uint64_t seed) { return random_numbers(1, size, seed); }
  static Numbers matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return random_numbers(rows, columns, seed, 1 / std::sqrt(static_cast<double>(columns)));
  }
  static Numbers of_rows(std::size_t columns) {
    return random_numbers(many_lengths().rows(), columns, 1);
  }
  static Dropout dropout(float rate) {
    static constexpr std::int64_t key = 0x1234567890abcdef;
    return {rate, &key, 3};
  }

  void add(const std::string& name, std::vector<Numbers> inputs, const Operation<T>& operation) {
    for (Numbers& input : inputs) {
      for (double& value : input.values) value = double{static_cast<float>(value)};
    }
    operations_.push_back({name, operation, std::move(inputs)});
  }

  std::vector<NamedOperation<T>> operations_;
};

// The result and the gradients by all inputs.
template <typename T>
std::vector<Numbers> run(const NamedOperation<T>& named) {
  return with_gradients<T>(named.operation, named.inputs, constant(1, 1, 0.7));
}

TEST(Agreement, OfAnyNumberOfThreadsToTheBit) {
  for (const auto& named : Operations<float>().all()) {
    SCOPED_TRACE(named.name);
    const std::vector<Numbers> alone = with_threads(1, [&] { return run(named); });
    for (const int threads : {2, 3, 5})
      EXPECT_EQ(with_threads(threads, [&] { return run(named); }), alone) << threads;
  }
}

TEST(Agreement, OfSingleWithDoublePrecisionOnEveryTarget) {
  const auto exact = Operations<double>().all();
  const auto single = Operations<float>().all();
  std::vector<std::vector<Numbers>> expected;
  for (const auto& named : exact) expected.push_back(run(named));
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (std::size_t i = 0; i < single.size(); ++i) {
      SCOPED_TRACE(testing::Message() << single[i].name << ", number " << i << ", " << target);
      const std::vector<Numbers> in_single = run(single[i]), in_double = run(exact[i]);
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
