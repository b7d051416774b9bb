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

// Throws Error(failure) where no cuBLAS can be loaded and started, naming what was looked for and
// what to install.
void require_blas();

class Blas {
 public:
  enum class Precision { tf32, exact };

  // Products are made on this stream, which outlives it. Throws as require_blas() does.
  explicit Blas(cudaStream_t stream, Precision precision = Precision::tf32);
  ~Blas();

  // All matrices are row-major, without gaps.
  struct Sizes {
    std::size_t rows;  // of x and y
    std::size_t ins;   // columns of x
    std::size_t outs;  // columns of y; a weight has [outs, ins]
  };
  // y = x · weightᵀ; `add`: to what is in y.
  void forward(const Sizes& sizes, const float* x, const float* weight, float* y, bool add);
  // The gradients of that product, beside each other as far as the GPU has room: dweight = dyᵀ · x,
  // and dx = dy · weight where dx is not nullptr. What is written must not be what is read.
  struct Gradients {
    float* dweight;
    float* dx;
    bool add;  // to what is in dx
  };
  void backward(const Sizes& sizes, const float* dy, const float* x, const float* weight,
                const Gradients& to);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tsmini::gpu
