// Products of many rows with a small matrix, and their gradients, on the CPU in vector lanes; in
// single precision, without LibTorch.
//
// Best called for `block_rows` at a time, which stay in a core's cache between one operation and
// the next, where a product over all rows at once would go to memory and back.
#pragma once

#include <cstddef>

namespace tsmini::learn {

inline constexpr std::size_t block_rows = 96;

// Rows of numbers, `stride` apart.
struct RowsIn {
  const float* data;
  std::size_t stride;
};
struct RowsOut {
  float* data;
  std::size_t stride;
};

// A matrix [depth, columns], cut into panels of columns as wide as a tile of the kernel; in a
// panel, row follows row. Columns are filled up with zeros to whole vectors.
struct PanelsView {
  std::size_t depth;
  std::size_t columns;
  const float* values;
};

struct ProductKernels {
  std::size_t (*panels_size)(std::size_t depth, std::size_t columns);
  // Panels of a matrix [depth, columns], and of the transpose of one [columns, depth].
  void (*pack)(std::size_t depth, std::size_t columns, const float* matrix, float* panels);
  void (*pack_transposed)(std::size_t depth, std::size_t columns, const float* matrix,
                          float* panels);
  // out = a · b for `rows` rows; added to what is there where `add` says so.
  void (*multiply)(std::size_t rows, RowsIn a, const PanelsView& b, RowsOut out, bool add);
  // out [outs, ins] += aᵀ · b, summed over `rows` rows of a [rows, outs] and b [rows, ins].
  void (*add_across)(std::size_t rows, std::size_t outs, std::size_t ins, RowsIn a, RowsIn b,
                     RowsOut out);
};

// Those of the SIMD target in use (tsmini/pairs.h).
ProductKernels product_kernels();

}  // namespace tsmini::learn
