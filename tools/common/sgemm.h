// The machine's own product of matrices, by the BLAS that is installed: what other figures are
// measured against.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tsmini::cli {

// OpenBLAS falls back to code of 2004 on processors newer than itself, at a fifth of their speed.
// This is its name for the instructions that this machine has, for OPENBLAS_CORETYPE; nullptr where
// its own guess is as good.
const char* openblas_core();

// Single precision, square. Nothing of it is linked: OpenBLAS, or what stands in for it, is looked
// for when the first of these is made.
class Sgemm {
 public:
  Sgemm(int size, int threads);

  // Empty where there is none; run() must not be called then.
  const std::string& library() const { return library_; }
  double operations() const;  // of one product
  void run();

 private:
  using Multiply = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                            float alpha, const float* a, int a_stride, const float* b, int b_stride,
                            float beta, float* c, int c_stride);

  int size_;
  std::string library_;
  Multiply multiply_ = nullptr;
  std::vector<float> a_, b_, c_;
};

}  // namespace tsmini::cli
