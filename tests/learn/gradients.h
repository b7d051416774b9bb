// Gradients of operations, against central differences in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "learn/ops/ops.h"

namespace tsmini {

// A matrix of a test.
struct Numbers {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  double largest() const;  // absolute value
  friend bool operator==(const Numbers&, const Numbers&) = default;
};
// Standard normal numbers that depend on the seed alone, times `scale`, plus `offset`.
Numbers random_numbers(std::size_t rows, std::size_t columns, std::uint64_t seed, double scale = 1,
                       double offset = 0);
Numbers constant(std::size_t rows, std::size_t columns, double value);

// Largest difference relative to the largest absolute value of `expected`.
double relative_error(const Numbers& actual, const Numbers& expected);

template <typename T>
using Operation =
    std::function<learn::Array<T>(learn::Tape<T>&, const std::vector<learn::Array<T>>&)>;

// What the operation returns, weighted and differentiated by every input: first the result, then
// the gradients. `weighting`: as large as the result, or one number for all.
template <typename T>
std::vector<Numbers> with_gradients(const Operation<T>& operation,
                                    const std::vector<Numbers>& inputs, const Numbers& weighting);

// What it returns.
Numbers result_of(const Operation<double>& operation, const std::vector<Numbers>& inputs);

// Gradients of a random weighting of what the operation returns, by up to 60 entries of every
// input.
void expect_gradients(const Operation<double>& operation, const std::vector<Numbers>& inputs);

// Trajectories of these many points, at a layer that has lost rows already.
class Lengths {
 public:
  explicit Lengths(const std::vector<int>& lengths, std::size_t lost = 0);

  learn::Packing packing() const {
    return {starts_.data(), starts_.size() - 1, static_cast<std::size_t>(starts_.back()), lost_};
  }
  std::size_t rows() const { return packing().rows(); }

 private:
  std::vector<int> starts_;
  std::size_t lost_;
};

}  // namespace tsmini
