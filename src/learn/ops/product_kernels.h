// Products of many rows with a small matrix, and their gradients, on the CPU in vector lanes. T is
// float or double.
//
// Best called for `block_rows` at a time (model/architecture.h), where a product over all rows at
// once would go to memory and back.
#pragma once

#include <cstddef>

namespace tsmini::learn {

// Rows of numbers, `stride` apart.
template <typename T>
struct RowsIn {
  const T* data;
  std::size_t stride;
};
template <typename T>
struct RowsOut {
  T* data;
  std::size_t stride;
};

// A matrix [depth, columns], cut into panels of columns as wide as a tile of the kernel; in a
// panel, row follows row. Columns are filled up with zeros to whole vectors.
template <typename T>
struct PanelsView {
  std::size_t depth;
  std::size_t columns;
  const T* values;
};

template <typename T>
struct ProductKernels {
  std::size_t (*panels_size)(std::size_t depth, std::size_t columns);
  // Panels of a matrix [depth, columns], and of the transpose of one [columns, depth].
  void (*pack)(std::size_t depth, std::size_t columns, const T* matrix, T* panels);
  void (*pack_transposed)(std::size_t depth, std::size_t columns, const T* matrix, T* panels);
  // out = a · b for `rows` rows; added to what is there where `add` says so.
  void (*multiply)(std::size_t rows, RowsIn<T> a, const PanelsView<T>& b, RowsOut<T> out, bool add);
  // out [outs, ins] += aᵀ · b, summed over `rows` rows of a [rows, outs] and b [rows, ins].
  void (*add_across)(std::size_t rows, std::size_t outs, std::size_t ins, RowsIn<T> a, RowsIn<T> b,
                     RowsOut<T> out);
};

// The kernels of the SIMD target in use (tsmini/simd.h).
template <typename T>
ProductKernels<T> product_kernels();

}  // namespace tsmini::learn
