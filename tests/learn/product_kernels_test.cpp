// Products in tiles against plain loops, for sizes around those of tiles, panels and blocks.
#include "learn/ops/product_kernels.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/simd.h"

#include "base/random.h"
#include "support/with_target.h"

namespace tsmini {
namespace {

constexpr int untouched = 12345;

struct Sizes {
  std::size_t rows, depth, columns, gap;
};

std::vector<Sizes> many_sizes() {
  std::vector<Sizes> all = {{1, 1, 1, 0},     {6, 128, 64, 0},   {96, 128, 128, 0},
                            {97, 129, 65, 3}, {192, 384, 16, 1}, {5, 257, 130, 7}};
  Random random(7);
  for (int i = 0; i < 30; ++i)
    all.push_back(
        {1 + random.below(200), 1 + random.below(300), 1 + random.below(150), random.below(5)});
  return all;
}

// Rows with gaps between them, which nobody may touch.
template <typename T>
struct Matrix {
  std::size_t rows, columns, stride;
  std::vector<T> values;

  Matrix(std::size_t height, std::size_t width, std::size_t gap, Random& random)
      : rows(height), columns(width), stride(width + gap), values(height * stride, untouched) {
    for (std::size_t r = 0; r < rows; ++r)
      std::generate_n(values.begin() + static_cast<std::ptrdiff_t>(r * stride), columns,
                      [&] { return static_cast<T>(random.uniform(-1, 1)); });
  }

  T at(std::size_t r, std::size_t c) const { return values[r * stride + c]; }
  learn::RowsIn<T> in() const { return {values.data(), stride}; }
  learn::RowsOut<T> out() { return {values.data(), stride}; }
};

// `term(r, c, k)`: what an entry sums, on top of what `before` holds.
template <typename T, class Term>
void expect_sums(const Matrix<T>& result, const Matrix<T>& before, bool add, std::size_t depth,
                 const Term& term) {
  const double rounding = sizeof(T) == sizeof(float) ? 2e-6 : 4e-15;
  for (std::size_t r = 0; r < result.rows; ++r) {
    for (std::size_t c = 0; c < result.columns; ++c) {
      double sum = add ? static_cast<double>(before.at(r, c)) : 0.0;
      for (std::size_t k = 0; k < depth; ++k) sum += term(r, c, k);
      ASSERT_NEAR(result.at(r, c), sum, rounding * static_cast<double>(depth + 1))
          << r << ", " << c;
    }
    for (std::size_t c = result.columns; c < result.stride; ++c)
      ASSERT_EQ(result.at(r, c), untouched) << r << ", " << c;
  }
}

template <class Visit>
void on_every_target(const Visit& visit) {
  for (const std::string_view target : simd_targets()) {
    const WithTarget guard(target);
    for (const Sizes& sizes : many_sizes()) {
      SCOPED_TRACE(testing::Message() << target << ": " << sizes.rows << " x " << sizes.depth
                                      << " x " << sizes.columns << ", gap " << sizes.gap);
      visit(sizes);
      if (testing::Test::HasFatalFailure()) break;
    }
  }
}

template <typename T>
struct ProductKernels : testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ProductKernels, Precisions);

TYPED_TEST(ProductKernels, MultiplyAsPlainLoops) {
  on_every_target([](const Sizes& sizes) {
    const learn::ProductKernels<TypeParam> kernels = learn::product_kernels<TypeParam>();
    Random random(3);
    const Matrix<TypeParam> a(sizes.rows, sizes.depth, sizes.gap, random);
    const Matrix<TypeParam> b(sizes.depth, sizes.columns, 0, random);
    const Matrix<TypeParam> turned(sizes.columns, sizes.depth, 0, random);
    const Matrix<TypeParam> before(sizes.rows, sizes.columns, sizes.gap, random);
    std::vector<TypeParam> panels(kernels.panels_size(sizes.depth, sizes.columns));
    for (const bool add : {false, true}) {
      Matrix<TypeParam> result = before;
      kernels.pack(sizes.depth, sizes.columns, b.values.data(), panels.data());
      kernels.multiply(sizes.rows, a.in(), {sizes.depth, sizes.columns, panels.data()},
                       result.out(), add);
      expect_sums(result, before, add, sizes.depth, [&](auto r, auto c, auto k) {
        return static_cast<double>(a.at(r, k)) * static_cast<double>(b.at(k, c));
      });
      result = before;
      kernels.pack_transposed(sizes.depth, sizes.columns, turned.values.data(), panels.data());
      kernels.multiply(sizes.rows, a.in(), {sizes.depth, sizes.columns, panels.data()},
                       result.out(), add);
      expect_sums(result, before, add, sizes.depth, [&](auto r, auto c, auto k) {
        return static_cast<double>(a.at(r, k)) * static_cast<double>(turned.at(c, k));
      });
    }
  });
}

TYPED_TEST(ProductKernels, AddAcrossAsPlainLoops) {
  on_every_target([](const Sizes& sizes) {
    Random random(4);
    const Matrix<TypeParam> a(sizes.rows, sizes.depth, sizes.gap, random);
    const Matrix<TypeParam> b(sizes.rows, sizes.columns, sizes.gap, random);
    const Matrix<TypeParam> before(sizes.depth, sizes.columns, sizes.gap, random);
    Matrix<TypeParam> result = before;
    learn::product_kernels<TypeParam>().add_across(sizes.rows, sizes.depth, sizes.columns, a.in(),
                                                   b.in(), result.out());
    expect_sums(result, before, true, sizes.rows, [&](auto r, auto c, auto k) {
      return static_cast<double>(a.at(k, r)) * static_cast<double>(b.at(k, c));
    });
  });
}

// A row's result must not depend on the rows beside it.
TYPED_TEST(ProductKernels, RowsDoNotSeeEachOther) {
  on_every_target([](const Sizes& sizes) {
    const learn::ProductKernels<TypeParam> kernels = learn::product_kernels<TypeParam>();
    Random random(5);
    const Matrix<TypeParam> a(sizes.rows, sizes.depth, 0, random);
    const Matrix<TypeParam> b(sizes.depth, sizes.columns, 0, random);
    std::vector<TypeParam> panels(kernels.panels_size(sizes.depth, sizes.columns));
    kernels.pack(sizes.depth, sizes.columns, b.values.data(), panels.data());
    const learn::PanelsView<TypeParam> view{sizes.depth, sizes.columns, panels.data()};
    std::vector<TypeParam> together(sizes.rows * sizes.columns), alone(sizes.columns);
    kernels.multiply(sizes.rows, a.in(), view, {together.data(), sizes.columns}, false);
    for (std::size_t r = 0; r < sizes.rows; r += 5) {
      kernels.multiply(1, {a.in().data + r * a.stride, a.stride}, view,
                       {alone.data(), sizes.columns}, false);
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(),
                             together.begin() + static_cast<std::ptrdiff_t>(r * sizes.columns)));
    }
  });
}

}  // namespace
}  // namespace tsmini
