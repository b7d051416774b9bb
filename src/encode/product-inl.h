// Rows times a matrix in panels, tile by tile.
//
// A tile of the result is handed to whoever knows what becomes of it. A row's result does not
// depend on the rows beside it.
#include <cstddef>

#if defined(TSMINI_ENCODE_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_ENCODE_PRODUCT_INL_H_
#undef TSMINI_ENCODE_PRODUCT_INL_H_
#else
#define TSMINI_ENCODE_PRODUCT_INL_H_
#endif

#include <algorithm>

#include "encode/bfloat_tiles.h"
#include "encode/panels.h"
#include "simd/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

using namespace tsmini::simd::HWY_NAMESPACE;

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
