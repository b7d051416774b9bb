// What operations with a product in them share on the CPU.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

#include "learn/ops/product_kernels.h"

namespace tsmini::learn {

// Single precision on the CPU has operations of its own, with all that stands around a product done
// while its rows are in the cache. Elsewhere they are composed of LibTorch's products and ours.
inline bool has_own_products(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat;
}

// A matrix for ProductKernels::multiply.
class Panels {
 public:
  // Of a matrix [depth, columns].
  static Panels of(const at::Tensor& matrix) {
    Panels panels(matrix.size(0), matrix.size(1));
    product_kernels().pack(panels.depth_, panels.columns_, matrix.data_ptr<float>(),
                           panels.values_.data_ptr<float>());
    return panels;
  }
  // Of the transpose of a matrix [columns, depth].
  static Panels of_transposed(const at::Tensor& matrix) {
    Panels panels(matrix.size(1), matrix.size(0));
    product_kernels().pack_transposed(panels.depth_, panels.columns_, matrix.data_ptr<float>(),
                                      panels.values_.data_ptr<float>());
    return panels;
  }

  PanelsView view() const { return {depth_, columns_, values_.data_ptr<float>()}; }

 private:
  Panels(std::int64_t depth, std::int64_t columns)
      : depth_(static_cast<std::size_t>(depth)),
        columns_(static_cast<std::size_t>(columns)),
        values_(at::empty(
            {static_cast<std::int64_t>(product_kernels().panels_size(depth_, columns_))})) {}

  std::size_t depth_, columns_;
  at::Tensor values_;
};

}  // namespace tsmini::learn
