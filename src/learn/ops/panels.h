// A matrix as the kernels of products want it, in the memory of a step.
#pragma once

#include "learn/array.h"
#include "learn/ops/product_kernels.h"
#include "learn/tape.h"

namespace tsmini::learn {

template <typename T>
PanelsView<T> panels_of(Tape<T>& tape, const Array<T>& matrix) {
  const ProductKernels<T> kernels = product_kernels<T>();
  T* values = tape.memory(kernels.panels_size(matrix.rows, matrix.columns));
  kernels.pack(matrix.rows, matrix.columns, matrix.data, values);
  return {matrix.rows, matrix.columns, values};
}

// The panels of the transpose: what rows are multiplied with in the forward pass.
template <typename T>
PanelsView<T> panels_of_transposed(Tape<T>& tape, const Array<T>& matrix) {
  const ProductKernels<T> kernels = product_kernels<T>();
  T* values = tape.memory(kernels.panels_size(matrix.columns, matrix.rows));
  kernels.pack_transposed(matrix.columns, matrix.rows, matrix.data, values);
  return {matrix.columns, matrix.rows, values};
}

}  // namespace tsmini::learn
