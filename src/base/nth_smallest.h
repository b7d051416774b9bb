// Medians and other quantiles without sorting.
//
//   const double typical = nth_smallest(times, times.size() / 2);
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tsmini {

// The value that would stand at `n`, counted from 0, if the values were sorted; there are more than
// `n`. Takes linear time and leaves them in another order.
template <class T>
T nth_smallest(std::vector<T>& values, std::size_t n) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(n);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

}  // namespace tsmini
