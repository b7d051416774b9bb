// Work on rows in parallel, on the CPU, with results that are the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "learn/ops/product_kernels.h"

namespace tsmini::learn {

// Calls visit(part) for parts 0 to count - 1. A thread that is done takes the next part, so that
// none waits long for one that was held up.
template <class Visit>
void each_part(std::int64_t count, const Visit& visit) {
  std::atomic<std::int64_t> next{0};
  const std::int64_t threads = std::min<std::int64_t>(count, at::get_num_threads());
  at::parallel_for(0, threads, 1, [&](std::int64_t, std::int64_t) {
    for (std::int64_t part = next++; part < count; part = next++) visit(part);
  });
}

// Calls visit(first, count) for blocks of rows.
template <class Visit>
void each_block(std::int64_t rows, const Visit& visit) {
  constexpr std::int64_t block = block_rows;
  each_part((rows + block - 1) / block,
            [&](std::int64_t part) { visit(part * block, std::min(block, rows - part * block)); });
}

// Sums over all rows, of `size` numbers. Rows are cut into parts by their number alone; each part
// is summed apart, and the parts are joined in their order. Parts have six blocks or more, so that
// joining them is little work, and are a power of two, so that threads get as much each.
class PartSums {
 public:
  PartSums(std::int64_t rows, std::int64_t size, const at::TensorOptions& options)
      : rows_(rows),
        parts_(static_cast<std::int64_t>(std::bit_floor(
            static_cast<std::uint64_t>(std::clamp<std::int64_t>(rows / (6 * block), 1, 16))))),
        sums_(at::empty({parts_, size}, options)) {}

  std::int64_t parts() const { return parts_; }
  // The first row of a part, part up to parts(); parts are whole blocks.
  std::int64_t first(std::int64_t part) const {
    const std::int64_t blocks = (rows_ + block - 1) / block;
    return std::min(blocks * part / parts_ * block, rows_);
  }

  // The sums of a part, zero.
  template <typename T>
  T* start(std::int64_t part) {
    T* sums = sums_.data_ptr<T>() + part * sums_.size(1);
    std::fill_n(sums, sums_.size(1), T{0});
    return sums;
  }

  // Calls visit(first, count, sums) for the blocks of all parts.
  template <typename T, class Visit>
  void each_block(const Visit& visit) {
    each_part(parts_, [&](std::int64_t part) {
      T* sums = start<T>(part);
      const std::int64_t end = first(part + 1);
      for (std::int64_t row = first(part); row < end; row += block)
        visit(row, std::min(block, end - row), sums);
    });
  }

  template <typename T>
  at::Tensor joined() const {
    constexpr std::int64_t piece = 1 << 12;
    const std::int64_t size = sums_.size(1);
    at::Tensor total = at::empty({size}, sums_.options());
    each_part((size + piece - 1) / piece, [&](std::int64_t part) {
      const std::int64_t from = part * piece, count = std::min(piece, size - from);
      T* to = total.data_ptr<T>() + from;
      const T* sums = sums_.data_ptr<T>() + from;
      std::copy_n(sums, count, to);
      for (std::int64_t p = 1; p < parts_; ++p) {
        sums += size;
        for (std::int64_t i = 0; i < count; ++i) to[i] += sums[i];
      }
    });
    return total;
  }

 private:
  static constexpr std::int64_t block = block_rows;

  std::int64_t rows_, parts_;
  at::Tensor sums_;
};

}  // namespace tsmini::learn
