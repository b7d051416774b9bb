// A whole training as train() makes it, with products of another precision on a GPU: what tests
// compare with the CPU.
#pragma once

#include "tsmini/train.h"

#include "learn/learner.h"

namespace tsmini::learn {

Model train_with(Products products, const Dataset& data, const TrainOptions& options,
                 const TrainObserver& observer);

}  // namespace tsmini::learn
