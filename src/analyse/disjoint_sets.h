// Sets of numbers that are joined from any number of threads (union-find without locks).
//
//   DisjointSets sets(n);
//   sets.unite(3, 17);
//   sets.find(17);  // 3: the smallest of a set stands for it, in whatever order sets were joined
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tsmini {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parents_(size) {
    for (std::size_t i = 0; i < size; ++i) parents_[i] = static_cast<std::uint32_t>(i);
  }

  // While others unite, what is the same stays the same; what is not may have become so.
  std::uint32_t find(std::size_t member) const {
    auto at = static_cast<std::uint32_t>(member);
    for (;;) {
      std::uint32_t parent = parents_[at];
      if (parent == at) return at;
      const std::uint32_t above = parents_[parent];
      parents_[at].compare_exchange_weak(parent, above);  // the next way up is half as long
      at = above;
    }
  }

  bool are_one(std::size_t a, std::size_t b) const { return find(a) == find(b); }

  // Whether they were two.
  bool unite(std::size_t a, std::size_t b) {
    for (;;) {
      std::uint32_t low = find(a), high = find(b);
      if (low == high) return false;
      if (low > high) std::swap(low, high);
      if (parents_[high].compare_exchange_strong(high, low)) return true;
    }
  }

 private:
  mutable std::vector<std::atomic<std::uint32_t>> parents_;
};

}  // namespace tsmini
