// Steps of training on the CPU, one after the other, with the labels of the next made while one is
// worked on.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/feature_store.h"
#include "learn/step.h"
#include "learn/truth.h"

namespace tsmini::learn {

// What steps work on. All of it outlives the stepper.
struct Workplace {
  Net<float>& net;
  Optimiser<float>& optimiser;
  Arena& arena;
  const FeatureStore& store;
  LabelSource& labels;
  const LossSettings& loss;
  double largest;            // distance that labels are divided by
  Heartbeat heartbeat = {};  // beats within a step
};

class Stepper {
 public:
  explicit Stepper(const Workplace& workplace) : work_(workplace) {}

  // Trains on `input`; `next` is what the following call will bring, if there is one. Throws
  // Error(failure) where the loss is not a number; weights are then as they were.
  // Whatever else is thrown within a step, by the heartbeat or for want of memory, all is as before
  // it.
  void step(const StepInput& input, const StepInput* next);

  // The mean loss since the last call.
  double take_loss();

 private:
  void make_step(const StepInput& input);

  Workplace work_;
  std::vector<float> labels_;
  bool prepared_ = false;
  double loss_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace tsmini::learn
