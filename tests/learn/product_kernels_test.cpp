// Products in tiles against plain loops, for sizes around those of tiles, panels and blocks.
#include "learn/ops/product_kernels.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/pairs.h"

#include "base/random.h"

namespace tsmini {
namespace {

constexpr float untouched = 12345;

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
struct Matrix {
  std::size_t rows, columns, stride;
  std::vector<float> values;

  Matrix(std::size_t height, std::size_t width, std::size_t gap, Random& random)
      : rows(height), columns(width), stride(width + gap), values(height * stride, untouched) {
    for (std::size_t r = 0; r < rows; ++r)
      std::generate_n(values.begin() + static_cast<std::ptrdiff_t>(r * stride), columns,
                      [&] { return static_cast<float>(random.uniform(-1, 1)); });
  }

  float at(std::size_t r, std::size_t c) const { return values[r * stride + c]; }
  learn::RowsIn in() const { return {values.data(), stride}; }
  learn::RowsOut out() { return {values.data(), stride}; }
};

// `term(r, c, k)`: what an entry sums, on top of what `before` holds.
template <class Term>
void expect_sums(const Matrix& result, const Matrix& before, bool add, std::size_t depth,
                 const Term& term) {
  for (std::size_t r = 0; r < result.rows; ++r) {
    for (std::size_t c = 0; c < result.columns; ++c) {
      double sum = add ? double{before.at(r, c)} : 0.0;
      for (std::size_t k = 0; k < depth; ++k) sum += term(r, c, k);
      ASSERT_NEAR(result.at(r, c), sum, 2e-6 * static_cast<double>(depth + 1)) << r << ", " << c;
    }
    for (std::size_t c = result.columns; c < result.stride; ++c)
      ASSERT_EQ(result.at(r, c), untouched) << r << ", " << c;
  }
}

template <class Visit>
void on_every_target(const Visit& visit) {
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (const Sizes& sizes : many_sizes()) {
      SCOPED_TRACE(testing::Message() << target << ": " << sizes.rows << " x " << sizes.depth
                                      << " x " << sizes.columns << ", gap " << sizes.gap);
      visit(sizes);
      if (testing::Test::HasFatalFailure()) break;
    }
  }
  force_simd_target(simd_targets().front());
}

TEST(ProductKernels, MultiplyAsPlainLoops) {
  on_every_target([](const Sizes& sizes) {
    const learn::ProductKernels kernels = learn::product_kernels();
    Random random(3);
    const Matrix a(sizes.rows, sizes.depth, sizes.gap, random);
    const Matrix b(sizes.depth, sizes.columns, 0, random);
    const Matrix turned(sizes.columns, sizes.depth, 0, random);
    const Matrix before(sizes.rows, sizes.columns, sizes.gap, random);
    std::vector<float> panels(kernels.panels_size(sizes.depth, sizes.columns));
    for (const bool add : {false, true}) {
      Matrix result = before;
      kernels.pack(sizes.depth, sizes.columns, b.values.data(), panels.data());
      kernels.multiply(sizes.rows, a.in(), {sizes.depth, sizes.columns, panels.data()},
                       result.out(), add);
      expect_sums(result, before, add, sizes.depth,
                  [&](auto r, auto c, auto k) { return double{a.at(r, k)} * double{b.at(k, c)}; });
      result = before;
      kernels.pack_transposed(sizes.depth, sizes.columns, turned.values.data(), panels.data());
      kernels.multiply(sizes.rows, a.in(), {sizes.depth, sizes.columns, panels.data()},
                       result.out(), add);
      expect_sums(result, before, add, sizes.depth, [&](auto r, auto c, auto k) {
        return double{a.at(r, k)} * double{turned.at(c, k)};
      });
    }
  });
}

TEST(ProductKernels, AddAcrossAsPlainLoops) {
  on_every_target([](const Sizes& sizes) {
    Random random(4);
    const Matrix a(sizes.rows, sizes.depth, sizes.gap, random);
    const Matrix b(sizes.rows, sizes.columns, sizes.gap, random);
    const Matrix before(sizes.depth, sizes.columns, sizes.gap, random);
    Matrix result = before;
    learn::product_kernels().add_across(sizes.rows, sizes.depth, sizes.columns, a.in(), b.in(),
                                        result.out());
    expect_sums(result, before, true, sizes.rows,
                [&](auto r, auto c, auto k) { return double{a.at(k, r)} * double{b.at(k, c)}; });
  });
}

// A row's result must not depend on the rows beside it.
TEST(ProductKernels, RowsDoNotSeeEachOther) {
  on_every_target([](const Sizes& sizes) {
    const learn::ProductKernels kernels = learn::product_kernels();
    Random random(5);
    const Matrix a(sizes.rows, sizes.depth, 0, random);
    const Matrix b(sizes.depth, sizes.columns, 0, random);
    std::vector<float> panels(kernels.panels_size(sizes.depth, sizes.columns));
    kernels.pack(sizes.depth, sizes.columns, b.values.data(), panels.data());
    const learn::PanelsView view{sizes.depth, sizes.columns, panels.data()};
    std::vector<float> together(sizes.rows * sizes.columns), alone(sizes.columns);
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
