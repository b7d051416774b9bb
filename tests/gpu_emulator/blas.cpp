// The products of gpu/blas.h by plain loops, with factors rounded as a GPU rounds them.
#include "gpu/blas.h"

#include <bit>
#include <functional>
#include <stdexcept>
#include <vector>

#include "gpu/status.h"

namespace tsmini::gpu {
namespace {

// A matrix of any order: element (i, j) lies at i·row + j·column.
struct Matrix {
  const float* data;
  std::size_t row, column;

  double at(std::size_t i, std::size_t j, Blas::Precision precision) const {
    const float number = data[i * row + j * column];
    if (precision == Blas::Precision::exact) return static_cast<double>(number);
    const unsigned rounded = gpu_emulator::to_tf32(std::bit_cast<unsigned>(number));
    return static_cast<double>(std::bit_cast<float>(rounded));
  }
};

struct Numbers {
  const float* first;
  std::size_t count;
};

bool overlap(const Numbers& a, const Numbers& b) {
  const std::less<const float*> before;
  return before(a.first, b.first + b.count) && before(b.first, a.first + a.count);
}

}  // namespace

class Blas::Impl {
 public:
  Impl(cudaStream_t stream, Precision precision) : stream_(stream), precision_(precision) {}

  // Whole rows at a time, of a copy that lies in order: for the compiler to make vectors of.
  void multiply(std::size_t rows, std::size_t inner, std::size_t columns, const Matrix& left,
                const Matrix& right, float* result, bool add) const {
    const auto work = [=, precision = precision_] {
      std::vector<double> ordered(inner * columns), sums(columns);
      for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t j = 0; j < columns; ++j)
          ordered[k * columns + j] = right.at(k, j, precision);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        float* to = result + i * columns;
        for (std::size_t j = 0; j < columns; ++j) sums[j] = add ? static_cast<double>(to[j]) : 0;
        for (std::size_t k = 0; k < inner; ++k) {
          const double factor = left.at(i, k, precision);
          const double* from = ordered.data() + k * columns;
          for (std::size_t j = 0; j < columns; ++j) sums[j] += factor * from[j];
        }
        for (std::size_t j = 0; j < columns; ++j) to[j] = static_cast<float>(sums[j]);
      }
    };
    check(gpu_emulator::submit(stream_, work), "multiply");
  }

 private:
  cudaStream_t stream_;
  Precision precision_;
};

void require_blas() {}

Blas::Blas(cudaStream_t stream, Precision precision)
    : impl_(std::make_unique<Impl>(stream, precision)) {}
Blas::~Blas() = default;

void Blas::forward(const Sizes& sizes, const float* x, const float* weight, float* y, bool add) {
  impl_->multiply(sizes.rows, sizes.ins, sizes.outs, {x, sizes.ins, 1}, {weight, 1, sizes.ins}, y,
                  add);
}

void Blas::backward(const Sizes& sizes, const float* dy, const float* x, const float* weight,
                    const Gradients& to) {
  // On a GPU both go on at once.
  const Numbers read[] = {
      {dy, sizes.rows * sizes.outs}, {x, sizes.rows * sizes.ins}, {weight, sizes.outs * sizes.ins}};
  const Numbers dweight{to.dweight, sizes.outs * sizes.ins};
  const Numbers dx{to.dx, to.dx == nullptr ? 0 : sizes.rows * sizes.ins};
  bool meets = overlap(dweight, dx);
  for (const Numbers& numbers : read) meets |= overlap(dweight, numbers) || overlap(dx, numbers);
  if (meets) throw std::logic_error("a gradient of a product is written where it is read");
  impl_->multiply(sizes.outs, sizes.rows, sizes.ins, {dy, 1, sizes.outs}, {x, sizes.ins, 1},
                  to.dweight, false);
  if (to.dx != nullptr)
    impl_->multiply(sizes.rows, sizes.outs, sizes.ins, {dy, sizes.outs, 1}, {weight, sizes.ins, 1},
                    to.dx, to.add);
}

}  // namespace tsmini::gpu
