#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/ops/product_kernels.cpp"
#include <algorithm>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/tile-inl.h"
// clang-format on

#include "learn/ops/product_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::learn::HWY_NAMESPACE {

using namespace tsmini::simd::HWY_NAMESPACE;

// Terms that a tile sums at a time: a panel's part of 32 KiB stays in the first cache.
constexpr std::size_t deepest = 128;

constexpr std::size_t in_vectors(std::size_t columns) {
  return (columns + lanes - 1) / lanes * lanes;
}

std::size_t panels_size(std::size_t depth, std::size_t columns) {
  return depth * in_vectors(columns);
}

// Calls visit(panel, first column, columns, columns in whole vectors) for each panel.
template <class Visit>
HWY_INLINE void each_panel(std::size_t columns, const Visit& visit) {
  for (std::size_t first = 0; first < columns; first += tile_width) {
    const std::size_t count = std::min(tile_width, columns - first);
    visit(first, count, in_vectors(count));
  }
}

// `count` columns of some rows, filled up with zeros to `width`.
void copy_panel(std::size_t depth, std::size_t count, std::size_t width, Rows from, float* panel) {
  const D d;
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t k = 0; k < depth; ++k, panel += width, from.data += from.stride) {
    for (std::size_t c = 0; c < whole; c += lanes)
      hn::StoreU(hn::LoadU(d, from.data + c), d, panel + c);
    if (whole < width)
      std::fill(std::copy(from.data + whole, from.data + count, panel + whole), panel + width,
                0.0F);
  }
}

void pack(std::size_t depth, std::size_t columns, const float* matrix, float* panels) {
  each_panel(columns, [&](std::size_t first, std::size_t count, std::size_t width) {
    copy_panel(depth, count, width, {matrix + first, columns}, panels + first * depth);
  });
}

void pack_transposed(std::size_t depth, std::size_t columns, const float* matrix, float* panels) {
  each_panel(columns, [&](std::size_t first, std::size_t count, std::size_t width) {
    for (std::size_t k = 0; k < depth; ++k, panels += width) {
      for (std::size_t c = 0; c < count; ++c) panels[c] = matrix[(first + c) * depth + k];
      std::fill(panels + count, panels + width, 0.0F);
    }
  });
}

// A tile whose last vector reaches past the columns that there are.
template <Tile kind>
void narrow_tile(std::size_t rows, std::size_t columns, Rows a, Rows b, std::size_t depth,
                 Sums out) {
  HWY_ALIGN float sums[tile_rows * tile_width];
  const std::size_t width = in_vectors(columns);
  for (std::size_t r = 0; r < rows; ++r)
    std::fill(std::copy_n(out.data + r * out.stride, columns, sums + r * width),
              sums + (r + 1) * width, 0.0F);
  sum_tile_of<kind>(rows, width / lanes)(a, b, depth, {sums, width});
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(sums + r * width, columns, out.data + r * out.stride);
}

// All tiles of one panel.
template <Tile kind>
void multiply_panel(std::size_t rows, std::size_t columns, Rows a, Rows b, std::size_t depth,
                    Sums out) {
  const std::size_t vectors = in_vectors(columns) / lanes;
  each_run(rows, tile_rows, [&](std::size_t first, std::size_t count) {
    const Rows left = kind == Tile::add_across ? Rows{a.data + first, a.stride} : a.from(first);
    const Sums to{out.data + first * out.stride, out.stride};
    if (columns == vectors * lanes) {
      sum_tile_of<kind>(count, vectors)(left, b, depth, to);
    } else {
      narrow_tile<kind>(count, columns, left, b, depth, to);
    }
  });
}

void multiply(std::size_t rows, RowsIn a, const PanelsView& b, RowsOut out, bool add) {
  each_run(rows, block_rows, [&](std::size_t row, std::size_t block) {
    each_run(b.depth, deepest, [&](std::size_t k, std::size_t depth) {
      each_panel(b.columns, [&](std::size_t first, std::size_t count, std::size_t width) {
        const Rows left{a.data + row * a.stride + k, a.stride};
        const Rows right{b.values + first * b.depth + k * width, width};
        const Sums to{out.data + row * out.stride + first, out.stride};
        if (add || k > 0) {
          multiply_panel<Tile::add>(block, count, left, right, depth, to);
        } else {
          multiply_panel<Tile::set>(block, count, left, right, depth, to);
        }
      });
    });
  });
}

void add_across(std::size_t rows, std::size_t outs, std::size_t ins, RowsIn a, RowsIn b,
                RowsOut out) {
  HWY_ALIGN float panel[block_rows * tile_width];
  each_run(rows, block_rows, [&](std::size_t row, std::size_t depth) {
    each_panel(ins, [&](std::size_t first, std::size_t count, std::size_t width) {
      const Rows from{b.data + row * b.stride + first, b.stride};
      copy_panel(depth, count, width, from, panel);
      multiply_panel<Tile::add_across>(outs, count, {a.data + row * a.stride, a.stride},
                                       {panel, width}, depth, {out.data + first, out.stride});
    });
  });
}

ProductKernels these_kernels() {
  return {&panels_size, &pack, &pack_transposed, &multiply, &add_across};
}

}  // namespace tsmini::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::learn {

HWY_EXPORT(these_kernels);

ProductKernels product_kernels() {
  return HWY_DYNAMIC_DISPATCH(these_kernels)();
}

}  // namespace tsmini::learn
#endif
