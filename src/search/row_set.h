// A set of rows, a bit each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"

namespace tsmini {

class RowSet {
 public:
  RowSet() = default;
  explicit RowSet(Array<std::uint64_t> words) : words_(std::move(words)) {
    for (const std::uint64_t word : words_.values()) {
      count_ += static_cast<std::size_t>(__builtin_popcountll(word));
    }
  }

  // Room for so many rows.
  void extend(std::size_t rows) {
    const std::size_t words = words_for(rows);
    if (words > words_.size()) words_.grow(words - words_.size());
  }
  void insert(std::size_t row) {
    if (contains(row)) return;
    words_.writable()[row / 64] |= std::uint64_t{1} << row % 64;
    ++count_;
  }
  bool contains(std::size_t row) const { return (words_[row / 64] >> row % 64 & 1) != 0; }
  std::size_t count() const { return count_; }

  std::span<const std::uint64_t> words() const { return words_.values(); }
  static std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }

 private:
  Array<std::uint64_t> words_;
  std::size_t count_ = 0;
};

}  // namespace tsmini
