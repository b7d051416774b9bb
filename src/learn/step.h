// One step of training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/feature_store.h"
#include "learn/loss_settings.h"
#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

// What differs from step to step.
struct StepInput {
  std::vector<int> ids;  // ascending
  StepRates rates;
  std::int64_t key = 0;  // what dropout draws from
};

// The true distances among a batch, [count, count], and the one they are divided by.
struct Labels {
  std::span<const float> distances;
  double largest = 0;
};

// Throws Error(failure) where something that was computed from the weights is not a number.
void check_finite(std::span<const float> values);

// Forward, backward and optimiser for one batch; returns the loss. What the arena held is lost.
// Throws Error(failure) where an embedding is not a number; weights are then as they were.
double train_step(Net<float>& net, Optimiser& optimiser, Arena& arena, const FeatureStore& store,
                  const StepInput& input, const Labels& labels, const LossSettings& settings);

}  // namespace tsmini::learn
