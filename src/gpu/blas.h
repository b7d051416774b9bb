// Matrix products on a GPU, by cuBLAS, in single precision.
//
// cuBLAS is looked for when the first of these is made, so that a program that was built for GPUs
// starts where there is none. Factors are rounded to TF32 (10 bits of mantissa) on GPUs that have
// it, sums are not; `exact` keeps all 23 bits. The same call gives the same bits from run to run.
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime.h>

namespace tsmini::gpu {

class Blas {
 public:
  enum class Precision { tf32, exact };

  // Products are made on this stream, which outlives it. Throws Error(failure) where cuBLAS is not
  // found, naming what was looked for and what to install.
  explicit Blas(cudaStream_t stream, Precision precision = Precision::tf32);
  ~Blas();

  // All matrices are row-major, without gaps; `add`: to what is in the result.
  struct Sizes {
    std::size_t rows;  // of x and y
    std::size_t ins;   // columns of x
    std::size_t outs;  // columns of y; a weight has [outs, ins]
  };
  // y = x · weightᵀ
  void forward(const Sizes& sizes, const float* x, const float* weight, float* y, bool add);
  // dx = dy · weight
  void backward(const Sizes& sizes, const float* dy, const float* weight, float* dx, bool add);
  // dweight = dyᵀ · x
  void across(const Sizes& sizes, const float* dy, const float* x, float* dweight);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini::gpu
