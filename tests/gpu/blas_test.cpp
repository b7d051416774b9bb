#include "gpu/blas.h"

#include "gpu/device.h"
#include "gpu/numbers.h"
#include "support/error_expectation.h"

namespace tsmini::gpu {
namespace {

using Products = GpuTest;

TEST_F(Products, AreThoseOfPlainLoops) {
  for (const auto& [rows, ins, outs] :
       {Blas::Sizes{1, 1, 1}, {5, 7, 3}, {0, 4, 6}, {130, 65, 33}, {700, 16, 96}}) {
    SCOPED_TRACE(testing::Message() << rows << ", " << ins << ", " << outs);
    const Blas::Sizes sizes{rows, ins, outs};
    const Numbers x = random_numbers(rows * ins, 1), weight = random_numbers(outs * ins, 2);
    const Numbers dy = random_numbers(rows * outs, 3);
    std::vector<double> y(rows * outs), dx(rows * ins), dweight(outs * ins);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < outs; ++o) {
        for (std::size_t i = 0; i < ins; ++i) {
          y[r * outs + o] += static_cast<double>(x[r * ins + i]) * weight[o * ins + i];
          dx[r * ins + i] += static_cast<double>(dy[r * outs + o]) * weight[o * ins + i];
          dweight[o * ins + i] += static_cast<double>(dy[r * outs + o]) * x[r * ins + i];
        }
      }
    }
    const Guarded<float> device_x(x), device_weight(weight), device_dy(dy);
    for (const auto precision : {Blas::Precision::tf32, Blas::Precision::exact}) {
      const double tolerance = precision == Blas::Precision::exact ? 1e-6 : 2e-3;
      Blas blas(nullptr, precision);
      const Guarded<float> to_y(rows * outs), to_dx(rows * ins), to_dweight(outs * ins);
      blas.forward(sizes, device_x.data(), device_weight.data(), to_y.data(), false);
      const auto backward = [&](float* to, bool add) {
        blas.backward(sizes, device_dy.data(), device_x.data(), device_weight.data(),
                      {to_dweight.data(), to, add});
      };
      backward(to_dx.data(), false);
      expect_close(to_y.values(), y, tolerance);
      expect_close(to_dx.values(), dx, tolerance);
      expect_close(to_dweight.values(), dweight, tolerance);
      blas.forward(sizes, device_x.data(), device_weight.data(), to_y.data(), true);
      backward(to_dx.data(), true);
      std::vector<double> y_twice = y, dx_twice = dx;
      for (double& number : y_twice) number *= 2;
      for (double& number : dx_twice) number *= 2;
      expect_close(to_y.values(), y_twice, tolerance);
      expect_close(to_dx.values(), dx_twice, tolerance);
      backward(nullptr, false);
      expect_close(to_dweight.values(), dweight, tolerance);
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
