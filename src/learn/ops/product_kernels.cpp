#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/ops/product_kernels.cpp"
#include <algorithm>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/tile-inl.h"
// clang-format on

#include "base/next_multiple.h"
#include "learn/ops/product_kernels.h"
#include "model/architecture.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::learn::HWY_NAMESPACE {

using namespace tsmini::simd::HWY_NAMESPACE;

// Terms that a tile sums at a time: a panel's part of 32 KiB stays in the first cache.
template <typename T>
constexpr std::size_t deepest = 128 * sizeof(float) / sizeof(T);

template <typename T>
constexpr std::size_t in_vectors(std::size_t columns) {
  return next_multiple(columns, lanes_of<T>);
}

template <typename T>
std::size_t panels_size(std::size_t depth, std::size_t columns) {
  return depth * in_vectors<T>(columns);
}

// Calls visit(first column, columns, columns in whole vectors) for each panel.
template <typename T, class Visit>
HWY_INLINE void each_panel(std::size_t columns, const Visit& visit) {
  for (std::size_t first = 0; first < columns; first += tile_width_of<T>) {
    const std::size_t count = std::min(tile_width_of<T>, columns - first);
    visit(first, count, in_vectors<T>(count));
  }
}

// `count` columns of some rows, filled up with zeros to `width`.
template <typename T>
void copy_panel(std::size_t depth, std::size_t count, std::size_t width, RowsOf<T> from, T* panel) {
  const hn::ScalableTag<T> d;
  const std::size_t whole = count / lanes_of<T> * lanes_of<T>;
  for (std::size_t k = 0; k < depth; ++k, panel += width, from.data += from.stride) {
    for (std::size_t c = 0; c < whole; c += lanes_of<T>)
      hn::StoreU(hn::LoadU(d, from.data + c), d, panel + c);
    if (whole < width)
      std::fill(std::copy(from.data + whole, from.data + count, panel + whole), panel + width,
                T{0});
  }
}

template <typename T>
void pack(std::size_t depth, std::size_t columns, const T* matrix, T* panels) {
  each_panel<T>(columns, [&](std::size_t first, std::size_t count, std::size_t width) {
    copy_panel<T>(depth, count, width, {matrix + first, columns}, panels + first * depth);
  });
}

template <typename T>
void pack_transposed(std::size_t depth, std::size_t columns, const T* matrix, T* panels) {
  each_panel<T>(columns, [&](std::size_t first, std::size_t count, std::size_t width) {
    for (std::size_t k = 0; k < depth; ++k, panels += width) {
      for (std::size_t c = 0; c < count; ++c) panels[c] = matrix[(first + c) * depth + k];
      std::fill(panels + count, panels + width, T{0});
    }
  });
}

// A tile whose last vector reaches past the columns that there are.
template <Tile kind, typename T>
void narrow_tile(std::size_t rows, std::size_t columns, RowsOf<T> a, RowsOf<T> b, std::size_t depth,
                 SumsOf<T> out) {
  HWY_ALIGN T sums[tile_rows * tile_width_of<T>];
  const std::size_t width = in_vectors<T>(columns);
  for (std::size_t r = 0; r < rows; ++r)
    std::fill(std::copy_n(out.data + r * out.stride, columns, sums + r * width),
              sums + (r + 1) * width, T{0});
  sum_tile_of<kind, T>(rows, width / lanes_of<T>)(a, b, depth, {sums, width});
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(sums + r * width, columns, out.data + r * out.stride);
}

// All tiles of one panel.
template <Tile kind, typename T>
void multiply_panel(std::size_t rows, std::size_t columns, RowsOf<T> a, RowsOf<T> b,
                    std::size_t depth, SumsOf<T> out) {
  const std::size_t vectors = in_vectors<T>(columns) / lanes_of<T>;
  each_run(rows, tile_rows, [&](std::size_t first, std::size_t count) {
    const RowsOf<T> left =
        kind == Tile::add_across ? RowsOf<T>{a.data + first, a.stride} : a.from(first);
    const SumsOf<T> to{out.data + first * out.stride, out.stride};
    if (columns == vectors * lanes_of<T>) {
      sum_tile_of<kind, T>(count, vectors)(left, b, depth, to);
    } else {
      narrow_tile<kind, T>(count, columns, left, b, depth, to);
    }
  });
}

template <typename T>
void multiply(std::size_t rows, RowsIn<T> a, const PanelsView<T>& b, RowsOut<T> out, bool add) {
  each_run(rows, block_rows, [&](std::size_t row, std::size_t block) {
    each_run(b.depth, deepest<T>, [&](std::size_t k, std::size_t depth) {
      each_panel<T>(b.columns, [&](std::size_t first, std::size_t count, std::size_t width) {
        const RowsOf<T> left{a.data + row * a.stride + k, a.stride};
        const RowsOf<T> right{b.values + first * b.depth + k * width, width};
        const SumsOf<T> to{out.data + row * out.stride + first, out.stride};
        if (add || k > 0) {
          multiply_panel<Tile::add>(block, count, left, right, depth, to);
        } else {
          multiply_panel<Tile::set>(block, count, left, right, depth, to);
        }
      });
    });
  });
}

template <typename T>
void add_across(std::size_t rows, std::size_t outs, std::size_t ins, RowsIn<T> a, RowsIn<T> b,
                RowsOut<T> out) {
  HWY_ALIGN T panel[block_rows * tile_width_of<T>];
  each_run(rows, block_rows, [&](std::size_t row, std::size_t depth) {
    each_panel<T>(ins, [&](std::size_t first, std::size_t count, std::size_t width) {
      const RowsOf<T> from{b.data + row * b.stride + first, b.stride};
      copy_panel<T>(depth, count, width, from, panel);
      multiply_panel<Tile::add_across, T>(outs, count, {a.data + row * a.stride, a.stride},
                                          {panel, width}, depth, {out.data + first, out.stride});
    });
  });
}

template <typename T>
ProductKernels<T> all_kernels() {
  return {&panels_size<T>, &pack<T>, &pack_transposed<T>, &multiply<T>, &add_across<T>};
}

ProductKernels<float> single_products() {
  return all_kernels<float>();
}
ProductKernels<double> double_products() {
  return all_kernels<double>();
}

}  // namespace tsmini::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::learn {

TSMINI_DISPATCH_PRECISIONS(ProductKernels, product_kernels, products)

}  // namespace tsmini::learn
#endif
