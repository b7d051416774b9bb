#include "gpu/blas.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device.h"
#include "gpu/numbers.h"
#include "support/error_expectation.h"

namespace tsmini::gpu {
namespace {

using Products = GpuTest;

// What a sum of products should be, how many there are, what they are without their signs, and the
// root of their squares: as large as the sum, in the mean, where signs are chance.
struct Sum {
  double value = 0, terms = 0, absolute = 0, squares = 0;

  void add(double a, double b) {
    value += a * b;
    terms += 1;
    absolute += std::abs(a * b);
    squares += a * a * b * b;
  }
  double size() const { return std::sqrt(squares); }
};

// How far it may be off. Errors of products do not know of each other: those of sums are normal
// numbers, and of some 10^5 the largest is five times their size.
//
// exact: a sum is rounded after each product, by 2^-24 of itself at most and by 0.42 of that in
// size. Where it grows to its own size as the root of the number of products does, all that makes
// 0.3 · sqrt(number) · 2^-24 of its size, and five times as much is 1.5.
//
// tf32: a factor is rounded to 10 bits after the first, or cut off there, since cuBLAS does not say
// which. Cut off it loses up to 2^-10 of itself, in the mean 0.72 · 2^-11 where all first digits
// are as likely (by the logarithm), and the size of what differs from that is 2.2e-4;
// rounded, 2.1e-4 and nothing in the mean. Two factors lose twice that mean, and the root of two of
// that size is 3.2e-4. No product is off by more than 2^-9 of itself.
double allowed(const Sum& sum, Blas::Precision precision) {
  if (precision == Blas::Precision::exact)
    return 1.5 * 0x1p-24 * (1 + std::sqrt(sum.terms)) * sum.size();
  return std::min(0.72 * 0x1p-10 * std::abs(sum.value) + 5 * 3.2e-4 * sum.size(),
                  0x1p-9 * sum.absolute);
}

// `times`: how often the sums were added.
void expect_sums(const Numbers& found, const std::vector<Sum>& expected, Blas::Precision precision,
                 double times = 1) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(double{found[i]}, times * expected[i].value,
                times * allowed(expected[i], precision))
        << "number " << i;
}

TEST_F(Products, AreThoseOfPlainLoops) {
  for (const auto& [rows, ins, outs] :
       {Blas::Sizes{1, 1, 1}, {5, 7, 3}, {0, 4, 6}, {130, 65, 33}, {700, 16, 96}}) {
    SCOPED_TRACE(testing::Message() << rows << ", " << ins << ", " << outs);
    const Blas::Sizes sizes{rows, ins, outs};
    const Numbers x = random_numbers(rows * ins, 1), weight = random_numbers(outs * ins, 2);
    const Numbers dy = random_numbers(rows * outs, 3);
    std::vector<Sum> y(rows * outs), dx(rows * ins), dweight(outs * ins);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < outs; ++o) {
        for (std::size_t i = 0; i < ins; ++i) {
          const double from = double{x[r * ins + i]}, by = double{weight[o * ins + i]};
          const double grad = double{dy[r * outs + o]};
          y[r * outs + o].add(from, by);
          dx[r * ins + i].add(grad, by);
          dweight[o * ins + i].add(grad, from);
        }
      }
    }
    const Guarded<float> device_x(x), device_weight(weight), device_dy(dy);
    for (const auto precision : {Blas::Precision::tf32, Blas::Precision::exact}) {
      Blas blas(nullptr, precision);
      const Guarded<float> to_y(rows * outs), to_dx(rows * ins), to_dweight(outs * ins);
      blas.forward(sizes, device_x.data(), device_weight.data(), to_y.data(), false);
      const auto backward = [&](float* to, bool add) {
        blas.backward(sizes, device_dy.data(), device_x.data(), device_weight.data(),
                      {to_dweight.data(), to, add});
      };
      backward(to_dx.data(), false);
      expect_sums(to_y.values(), y, precision);
      expect_sums(to_dx.values(), dx, precision);
      expect_sums(to_dweight.values(), dweight, precision);
      blas.forward(sizes, device_x.data(), device_weight.data(), to_y.data(), true);
      backward(to_dx.data(), true);
      expect_sums(to_y.values(), y, precision, 2);
      expect_sums(to_dx.values(), dx, precision, 2);
      backward(nullptr, false);
      expect_sums(to_dweight.values(), dweight, precision);
    }
  }
}

#ifndef TSMINI_EMULATED_CUDA
// There may be a cuBLAS, which then cannot start.
TEST(ProductsWithoutAGpu, SayWhatIsMissing) {
  if (!gpu_name().empty()) GTEST_SKIP() << "there is a GPU";
  expect_error(ErrorCode::failure, "cuBLAS cannot be used: .*libcublas", "LD_LIBRARY_PATH",
               [] { require_blas(); });
}
#endif

}  // namespace
}  // namespace tsmini::gpu
