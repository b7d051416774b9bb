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

#include "encode/panels.h"
#include "simd/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

using namespace tsmini::simd::HWY_NAMESPACE;

// finish(row, column, sums, vectors) for every row of the result, a panel's outputs at a time.
template <class Finish>
void multiply(const Panels& matrix, Rows a, std::size_t rows, const Finish& finish) {
  HWY_ALIGN float sums[tile_rows * tile_width];
  for (std::size_t column = 0; column < matrix.columns; column += matrix.width) {
    const std::size_t width = std::min(matrix.width, matrix.columns - column);
    const std::size_t vectors = width / lanes;
    const Rows panel{matrix.values.get() + column * matrix.depth, width};
    each_run(rows, tile_rows, [&](std::size_t first, std::size_t count) {
      sum_tile_of(count, vectors)(a.from(first), panel, matrix.depth, {sums, matrix.width});
      for (std::size_t r = 0; r < count; ++r)
        finish(first + r, column, sums + r * matrix.width, vectors);
    });
  }
}

}  // namespace tsmini::encode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
