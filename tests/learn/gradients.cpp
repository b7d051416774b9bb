#include "learn/gradients.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"

namespace tsmini {

using learn::Arena;
using learn::Array;
using learn::Gradient;
using learn::Tape;

// std::max would pass over what is not a number.
double Numbers::largest() const {
  double most = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::abs(value));
  }
  return most;
}

Numbers random_numbers(std::size_t rows, std::size_t columns, std::uint64_t seed, double scale,
                       double offset) {
  Numbers numbers = constant(rows, columns, 0);
  Random random(seed, 0x7e57);
  for (double& value : numbers.values) value = random.normal() * scale + offset;
  return numbers;
}

Numbers constant(std::size_t rows, std::size_t columns, double value) {
  return {rows, columns, std::vector<double>(rows * columns, value)};
}

double relative_error(const Numbers& actual, const Numbers& expected) {
  EXPECT_EQ(actual.values.size(), expected.values.size());
  Numbers error = expected;
  for (std::size_t i = 0; i < expected.values.size(); ++i) error.values[i] -= actual.values[i];
  const double largest = expected.largest();
  return largest > 0 ? error.largest() / largest : error.largest();
}

template <typename T>
std::vector<Numbers> with_gradients(const Operation<T>& operation,
                                    const std::vector<Numbers>& inputs, const Numbers& weighting) {
  std::deque<std::vector<T>> memory;
  std::deque<Gradient<T>> gradients;
  std::vector<Array<T>> arrays;
  for (const Numbers& input : inputs) {
    memory.emplace_back(input.values.begin(), input.values.end());
    arrays.push_back({memory.back().data(), input.rows, input.columns, &gradients.emplace_back()});
  }
  Arena arena;
  Tape<T> tape(arena, Tape<T>::Purpose::training);
  const Array<T> result = operation(tape, arrays);
  const auto numbers = [](const Array<T>& shape, const T* data) {
    return Numbers{shape.rows, shape.columns, {data, data + shape.size()}};
  };
  std::vector<Numbers> all = {numbers(result, result.data)};
  T* seed = tape.target(result).data;
  for (std::size_t i = 0; i < result.size(); ++i)
    seed[i] = static_cast<T>(weighting.values[weighting.values.size() == 1 ? 0 : i]);
  tape.backward();
  for (const Array<T>& array : arrays) {
    EXPECT_TRUE(array.gradient->filled);
    all.push_back(numbers(array, array.gradient->data));
  }
  return all;
}

template std::vector<Numbers> with_gradients(const Operation<float>&, const std::vector<Numbers>&,
                                             const Numbers&);
template std::vector<Numbers> with_gradients(const Operation<double>&, const std::vector<Numbers>&,
                                             const Numbers&);

Numbers result_of(const Operation<double>& operation, const std::vector<Numbers>& inputs) {
  return with_gradients(operation, inputs, constant(1, 1, 1))[0];
}

void expect_gradients(const Operation<double>& operation, const std::vector<Numbers>& inputs) {
  constexpr double step = 1e-6;
  constexpr std::size_t most = 60;
  const Numbers result = result_of(operation, inputs);
  const Numbers weighting = random_numbers(result.rows, result.columns, 99);
  const std::vector<Numbers> analytic = with_gradients(operation, inputs, weighting);
  Random random(5);
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    const Numbers& gradient = analytic[which + 1];
    const double largest = std::max(gradient.largest(), 1e-3);
    const std::size_t size = inputs[which].values.size();
    for (std::size_t n = 0; n < std::min(most, size); ++n) {
      const std::size_t entry = size <= most ? n : random.below(size);
      const auto value_at = [&](double moved) {
        std::vector<Numbers> near = inputs;
        near[which].values[entry] += moved;
        const Numbers there = result_of(operation, near);
        return std::inner_product(there.values.begin(), there.values.end(),
                                  weighting.values.begin(), 0.0);
      };
      const double expected = (value_at(step) - value_at(-step)) / (2 * step);
      ASSERT_NEAR(gradient.values[entry], expected, 2e-7 * largest)
          << "input " << which << ", entry " << entry;
    }
  }
}

Lengths::Lengths(const std::vector<int>& lengths, std::size_t lost)
    : starts_(lengths.size() + 1), lost_(lost) {
  std::partial_sum(lengths.begin(), lengths.end(), starts_.begin() + 1);
}

}  // namespace tsmini
