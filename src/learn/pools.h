// The kinds of pooling as bits, in the order in which their results stand side by side.
#pragma once

#include <vector>

#include "tsmini/model.h"

#include "model/architecture.h"

namespace tsmini {

inline constexpr unsigned mean_bit = 1, max_bit = 2, sum_bit = 4, first_bit = 8, last_bit = 16;

inline unsigned pool_bits(const std::vector<Pool>& pools) {
  unsigned bits = 0;
  for (const Pool pool : pools) bits |= 1U << static_cast<unsigned>(pool);
  return bits;
}

}  // namespace tsmini
