// The kinds of network that training is tested with.
#pragma once

#include <vector>

#include "encode/random_model.h"
#include "learn/small_batch.h"

namespace tsmini {

// Every setting that changes what is computed, by itself; without dropout.
std::vector<Variant> learned_variants();

NetSettings without_dropout(NetSettings settings = {});

// Always the same weights.
learn::Net net_for(const NetSettings& settings, const SmallBatch& batch,
                   at::ScalarType type = at::kDouble);
// Gains and shifts away from 1 and 0, so that nothing hides behind them.
void disturb(const learn::Net& net);

}  // namespace tsmini
