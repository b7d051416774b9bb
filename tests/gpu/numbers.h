// Numbers that go to a GPU and come back, for tests of kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "gpu/device.h"
#include "gpu/memory.h"

namespace tsmini::gpu {

using Numbers = std::vector<float>;

// Numbers in the memory of the GPU that others follow: kernels must leave those alone.
template <typename T>
class Guarded {
 public:
  explicit Guarded(const std::vector<T>& values) : size_(values.size()) {
    std::vector<T> all = values;
    all.resize(size_ + spare, T{77});
    memory_ = DeviceMemory<T>(std::span<const T>(all));
  }
  // What is in them before a kernel writes is nonsense.
  explicit Guarded(std::size_t size)
      : Guarded(std::vector<T>(size, std::is_floating_point_v<T> ? static_cast<T>(NAN) : T{-99})) {}

  T* data() const { return memory_.data(); }
  std::vector<T> values() const {
    std::vector<T> all(size_ + spare);
    check(cudaMemcpy(all.data(), memory_.data(), all.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "copy from the device");
    EXPECT_EQ(std::count(all.end() - spare, all.end(), T{77}), spare) << "written past the end";
    all.resize(size_);
    return all;
  }

 private:
  static constexpr int spare = 40;
  std::size_t size_;
  DeviceMemory<T> memory_;
};

inline Numbers random_numbers(std::size_t size, std::uint64_t seed, double scale = 1,
                              double offset = 0) {
  Random random(seed);
  Numbers numbers(size);
  for (float& number : numbers) number = static_cast<float>(offset + scale * random.normal());
  return numbers;
}

// Within `tolerance` of the largest expected one, or of `least`: of what they are differences of,
// where they cancel each other.
inline void expect_close(const Numbers& found, const std::vector<double>& expected,
                         double tolerance, double least = 1e-30) {
  ASSERT_EQ(found.size(), expected.size());
  double largest = least;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_LE(std::abs(static_cast<double>(found[i]) - expected[i]), tolerance * largest)
        << "number " << i << " is " << found[i] << ", not " << expected[i];
}

class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu_name().empty()) GTEST_SKIP() << "no GPU here";
  }
};

}  // namespace tsmini::gpu
