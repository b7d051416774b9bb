// The median, which a few bad values among many hardly change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tsmini {

// Takes at least one value; of an even number, the median is the mean of the two in the middle.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace tsmini
