// Some of many, drawn by a seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace tsmini {

// `most` numbers below `count`, or all of them; rising, and each as likely as any other.
inline std::vector<std::size_t> sample_below(std::size_t count, std::size_t most, Random random) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (most >= count) return all;
  for (std::size_t i = 0; i < most; ++i) std::swap(all[i], all[i + random.below(count - i)]);
  all.resize(most);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tsmini
