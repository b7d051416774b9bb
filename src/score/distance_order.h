// An order of things by their distances: the nearest first, equal ones by index, and what is not a
// number last, so that there always is one order.
//
//   std::sort(order.begin(), order.end(), Nearer(distances));   // order: indices of `distances`
#pragma once

#include <cmath>
#include <cstddef>

namespace tsmini {

template <typename T>
class Nearer {
 public:
  explicit Nearer(const T* distances) : distances_(distances) {}

  bool operator()(std::size_t a, std::size_t b) const {
    const T x = distances_[a], y = distances_[b];
    if (x < y || y < x) return x < y;
    return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
  }

 private:
  const T* distances_;
};

}  // namespace tsmini
