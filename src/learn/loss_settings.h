// What the loss is made of: λ·100·L_mse + (1 - λ)·L_knn.
#pragma once

#include <cstddef>

namespace tsmini {

struct LossSettings {
  double lambda = 0.2;     // share of the squared error
  std::size_t k = 10;      // predicted positions that the ranking looks at; 0: all
  double slope = 1;        // of the ranking's sigmoid
  double focus = 1;        // weight of a pair in the squared error: (1 - t)^focus
  bool rank_mean = false;  // the ranking averaged over the batch's lists, not summed
};

}  // namespace tsmini
