// Rows times a matrix in panels, tile by tile.
//
// A tile of the result, a few rows times a panel's outputs, is summed in registers over all inputs
// in their order, stored, and handed to whoever knows what becomes of it. So a row's result does
// not depend on the rows beside it.
#include <cstddef>

#if defined(TSMINI_ENCODE_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_ENCODE_PRODUCT_INL_H_
#undef TSMINI_ENCODE_PRODUCT_INL_H_
#else
#define TSMINI_ENCODE_PRODUCT_INL_H_
#endif

#include <algorithm>
#include <array>

#include "encode/bfloat_tiles.h"
#include "encode/panels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::VFromD<D>;

constexpr std::size_t lanes = HWY_LANES(float);
// 24 sums, the panel's vectors and one factor fit into 32 registers; 12 into 16.
constexpr std::size_t tile_vectors = HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2;
constexpr std::size_t tile_rows = 6;
constexpr std::size_t tile_width = tile_vectors * lanes;

// Rows of numbers, `stride` apart.
struct Rows {
  const float* data;
  std::size_t stride;

  Rows from(std::size_t row) const { return {data + row * stride, stride}; }
};
struct Sums {
  float* data;
  std::size_t stride;
};

// sums[r][c] = Σ_k a[r][k] · b[k][c] for `rows` rows and `vectors` vectors of columns.
template <std::size_t rows, std::size_t vectors>
void sum_tile(Rows a, Rows b, std::size_t depth, Sums sums) {
  const D d;
  V tile[rows][vectors];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) tile[r][v] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    V right[vectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v)
      right[v] = hn::LoadU(d, b.data + k * b.stride + v * lanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const V left = hn::Set(d, a.data[r * a.stride + k]);
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < vectors; ++v) tile[r][v] = hn::MulAdd(left, right[v], tile[r][v]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v)
      hn::StoreU(tile[r][v], d, sums.data + r * sums.stride + v * lanes);
  }
}

using SumTile = void (*)(Rows a, Rows b, std::size_t depth, Sums sums);

template <std::size_t vectors>
constexpr std::array<SumTile, tile_rows> tiles_of_width() {
  return {&sum_tile<1, vectors>, &sum_tile<2, vectors>, &sum_tile<3, vectors>,
          &sum_tile<4, vectors>, &sum_tile<5, vectors>, &sum_tile<6, vectors>};
}

// For 1 to tile_rows rows and 1 to tile_vectors vectors.
inline SumTile sum_tile_of(std::size_t rows, std::size_t vectors) {
  if constexpr (tile_vectors == 4) {
    static constexpr std::array all = {tiles_of_width<1>(), tiles_of_width<2>(),
                                       tiles_of_width<3>(), tiles_of_width<4>()};
    return all[vectors - 1][rows - 1];
  } else {
    static constexpr std::array all = {tiles_of_width<1>(), tiles_of_width<2>()};
    return all[vectors - 1][rows - 1];
  }
}

// Calls visit(first, size) for runs of `count` rows, of at most `at_most` each, as equal as can be.
template <class Visit>
HWY_INLINE void each_run(std::size_t count, std::size_t at_most, const Visit& visit) {
  std::size_t first = 0;
  for (std::size_t runs = (count + at_most - 1) / at_most; runs > 0; --runs) {
    const std::size_t size = (count - first + runs - 1) / runs;
    visit(first, size);
    first += size;
  }
}

// Rows in bfloat16 for a product; gives their stride. Windows of rows stay windows.
inline std::size_t round_rows(const Panels& matrix, Rows a, std::size_t rows,
                              std::uint16_t* halves) {
  const std::size_t depth = rounded_up(matrix.depth, bfloat_step);
  if (depth == matrix.depth && depth % a.stride == 0) {
    to_bfloat(a.data, (rows - 1) * a.stride + depth, halves);
    return a.stride;
  }
  for (std::size_t r = 0; r < rows; ++r, halves += depth) {
    to_bfloat(a.data + r * a.stride, matrix.depth, halves);
    std::fill(halves + matrix.depth, halves + depth, std::uint16_t{0});
  }
  return depth;
}

// finish(row, column, sums, vectors) for every row of the result, a panel's outputs at a time.
// `halves`: memory for the rows in bfloat16, up to a whole number of tiles.
template <class Finish>
void multiply(const Panels& matrix, Rows a, std::size_t rows, std::uint16_t* halves,
              const Finish& finish) {
  HWY_ALIGN float sums[std::max(bfloat_rows * bfloat_width, tile_rows * tile_width)];
  const std::size_t half_stride = matrix.halves ? round_rows(matrix, a, rows, halves) : 0;
  const std::size_t half_depth = rounded_up(matrix.depth, bfloat_step);
  for (std::size_t column = 0; column < matrix.columns; column += matrix.width) {
    const std::size_t width = std::min(matrix.width, matrix.columns - column);
    const std::size_t vectors = width / lanes;
    const auto hand_over = [&](std::size_t first, std::size_t count) {
      for (std::size_t r = 0; r < count; ++r)
        finish(first + r, column, sums + r * matrix.width, vectors);
    };
    if (matrix.halves) {
      for (std::size_t first = 0; first < rows; first += bfloat_rows) {
        bfloat_tile(halves + first * half_stride, half_stride,
                    matrix.halves.get() + column * half_depth, half_depth, width / bfloat_group,
                    sums);
        hand_over(first, std::min(bfloat_rows, rows - first));
      }
    } else {
      const Rows panel{matrix.values.get() + column * matrix.depth, width};
      each_run(rows, tile_rows, [&](std::size_t first, std::size_t count) {
        sum_tile_of(count, vectors)(a.from(first), panel, matrix.depth, {sums, matrix.width});
        hand_over(first, count);
      });
    }
  }
}

}  // namespace tsmini::encode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
