// The kinds of network that training is tested with.
#pragma once

#include <string>
#include <vector>

#include "learn/small_batch.h"

namespace tsmini {

struct LearnedVariant {
  std::string name;
  NetSettings settings;  // without dropout
};
// Every setting that changes what is computed, by itself.
std::vector<LearnedVariant> learned_variants();

NetSettings without_dropout(NetSettings settings = {});

// Always the same weights.
learn::Net net_for(const NetSettings& settings, const SmallBatch& batch,
                   at::ScalarType type = at::kDouble);
// Gains and shifts away from 1 and 0, so that nothing hides behind them.
void disturb(const learn::Net& net);

}  // namespace tsmini
