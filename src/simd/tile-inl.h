// A tile of a matrix product, a few rows times a few vectors of columns, summed in registers over
// all terms in their order. So a number of the result does not depend on those beside it.
#include <cstddef>

#if defined(TSMINI_SIMD_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_SIMD_TILE_INL_H_
#undef TSMINI_SIMD_TILE_INL_H_
#else
#define TSMINI_SIMD_TILE_INL_H_
#endif

#include <array>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How many T, float or double, a vector has.
template <typename T>
constexpr std::size_t lanes_of = HWY_LANES(T);
// 24 sums, the panel's vectors and one factor fit into 32 registers; 12 into 16.
constexpr std::size_t tile_vectors = HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2;
constexpr std::size_t tile_rows = 6;
template <typename T>
constexpr std::size_t tile_width_of = tile_vectors* lanes_of<T>;

// Rows of numbers, `stride` apart.
template <typename T>
struct RowsOf {
  const T* data;
  std::size_t stride;

  RowsOf from(std::size_t row) const { return {data + row * stride, stride}; }
};
template <typename T>
struct SumsOf {
  T* data;
  std::size_t stride;
};

// What a tile sums: a·b, the same on top of what is there, or aᵀ·b on top of what is there.
enum class Tile { set, add, add_across };

// sums[r][c] = Σ_k a[r][k] · b[k][c] for `rows` rows and `vectors` vectors of columns; a[k][r] for
// add_across.
//
// Every sum is one chain of multiply-adds over k = 0, 1, …, whatever `rows` and `vectors` are: how
// rows and columns are cut into tiles does not change a digit.
//
// Numbers of `a` are read one by one, and no more than rows · depth of them. Of `b` and `sums`
// whole vectors are read and written: each of their rows must have vectors · lanes numbers. Whoever
// has fewer columns pads `b`, and gives `sums` of its own (narrow_tile() of learn/ops).
template <Tile kind, typename T, std::size_t rows, std::size_t vectors>
void sum_tile(RowsOf<T> a, RowsOf<T> b, std::size_t depth, SumsOf<T> sums) {
  constexpr std::size_t lanes = lanes_of<T>;
  const hn::ScalableTag<T> d;
  using V = hn::VFromD<decltype(d)>;
  V tile[rows][vectors];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v)
      tile[r][v] =
          kind == Tile::set ? hn::Zero(d) : hn::LoadU(d, sums.data + r * sums.stride + v * lanes);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    V right[vectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v)
      right[v] = hn::LoadU(d, b.data + k * b.stride + v * lanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const V left = hn::Set(
          d, kind == Tile::add_across ? a.data[k * a.stride + r] : a.data[r * a.stride + k]);
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

template <typename T>
using SumTile = void (*)(RowsOf<T> a, RowsOf<T> b, std::size_t depth, SumsOf<T> sums);

template <Tile kind, typename T, std::size_t vectors>
constexpr std::array<SumTile<T>, tile_rows> tiles_of_width() {
  return {&sum_tile<kind, T, 1, vectors>, &sum_tile<kind, T, 2, vectors>,
          &sum_tile<kind, T, 3, vectors>, &sum_tile<kind, T, 4, vectors>,
          &sum_tile<kind, T, 5, vectors>, &sum_tile<kind, T, 6, vectors>};
}

// The function for 1 to tile_rows rows and 1 to tile_vectors vectors.
template <Tile kind = Tile::set, typename T = float>
SumTile<T> sum_tile_of(std::size_t rows, std::size_t vectors) {
  if constexpr (tile_vectors == 4) {
    static constexpr std::array all = {tiles_of_width<kind, T, 1>(), tiles_of_width<kind, T, 2>(),
                                       tiles_of_width<kind, T, 3>(), tiles_of_width<kind, T, 4>()};
    return all[vectors - 1][rows - 1];
  } else {
    static constexpr std::array all = {tiles_of_width<kind, T, 1>(), tiles_of_width<kind, T, 2>()};
    return all[vectors - 1][rows - 1];
  }
}

// The names above for single precision.
using D = hn::ScalableTag<float>;
using V = hn::VFromD<D>;
using Rows = RowsOf<float>;
using Sums = SumsOf<float>;
constexpr std::size_t lanes = lanes_of<float>;
constexpr std::size_t tile_width = tile_width_of<float>;

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

}  // namespace tsmini::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
