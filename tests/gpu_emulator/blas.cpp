// The products of gpu/blas.h by plain loops.
#include "gpu/blas.h"

#include <vector>

#include "gpu/status.h"

namespace tsmini::gpu {
namespace {

// A matrix of any order: element (i, j) lies at i·row + j·column.
struct Matrix {
  const float* data;
  std::size_t row, column;

  double at(std::size_t i, std::size_t j) const {
    return static_cast<double>(data[i * row + j * column]);
  }
};

// Whole rows at a time, of a copy that lies in order: for the compiler to make vectors of.
void multiply(cudaStream_t stream, std::size_t rows, std::size_t inner, std::size_t columns,
              const Matrix& left, const Matrix& right, float* result, bool add) {
  const auto work = [=] {
    std::vector<double> ordered(inner * columns), sums(columns);
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t j = 0; j < columns; ++j) ordered[k * columns + j] = right.at(k, j);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = result + i * columns;
      for (std::size_t j = 0; j < columns; ++j) sums[j] = add ? static_cast<double>(to[j]) : 0;
      for (std::size_t k = 0; k < inner; ++k) {
        const double factor = left.at(i, k);
        const double* from = ordered.data() + k * columns;
        for (std::size_t j = 0; j < columns; ++j) sums[j] += factor * from[j];
      }
      for (std::size_t j = 0; j < columns; ++j) to[j] = static_cast<float>(sums[j]);
    }
  };
  check(gpu_emulator::submit(stream, work), "multiply");
}

}  // namespace

class Blas::Impl {
 public:
  explicit Impl(cudaStream_t of) : stream(of) {}

  cudaStream_t stream;
};

Blas::Blas(cudaStream_t stream, Precision) : impl_(std::make_unique<Impl>(stream)) {}
Blas::~Blas() = default;

void Blas::forward(const Sizes& sizes, const float* x, const float* weight, float* y, bool add) {
  multiply(impl_->stream, sizes.rows, sizes.ins, sizes.outs, {x, sizes.ins, 1},
           {weight, 1, sizes.ins}, y, add);
}

void Blas::backward(const Sizes& sizes, const float* dy, const float* weight, float* dx, bool add) {
  multiply(impl_->stream, sizes.rows, sizes.outs, sizes.ins, {dy, sizes.outs, 1},
           {weight, sizes.ins, 1}, dx, add);
}

void Blas::across(const Sizes& sizes, const float* dy, const float* x, float* dweight) {
  multiply(impl_->stream, sizes.outs, sizes.rows, sizes.ins, {dy, 1, sizes.outs}, {x, sizes.ins, 1},
           dweight, false);
}

}  // namespace tsmini::gpu
