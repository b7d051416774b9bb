// The k nearest of all that are offered, ties to the lower row. What is at no distance (NaN), as a
// file that lies may have it, is not taken: it would have no place in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tsmini {

template <class Distance>
class Nearest {
 public:
  struct Item {
    Distance distance;
    std::uint32_t row;

    friend bool operator<(const Item& a, const Item& b) {
      return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
    }
  };

  explicit Nearest(std::size_t k) : k_(k) {}

  std::size_t size() const { return heap_.size(); }
  // Nothing farther than this is taken.
  Distance limit() const {
    return heap_.size() < k_ ? std::numeric_limits<Distance>::max() : heap_.front().distance;
  }

  void offer(Distance distance, std::uint32_t row) {
    if (!(distance <= limit())) return;
    const Item item{distance, row};
    if (heap_.size() < k_) {
      heap_.push_back(item);
    } else {
      if (heap_.empty() || !(item < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = item;
    }
    std::push_heap(heap_.begin(), heap_.end());
  }

  // Takes all out, by rising distance.
  std::vector<Item> take() {
    std::sort_heap(heap_.begin(), heap_.end());
    return std::move(heap_);
  }

 private:
  std::size_t k_;
  std::vector<Item> heap_;  // the farthest first
};

}  // namespace tsmini
