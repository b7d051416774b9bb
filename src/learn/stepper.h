// Steps of training on the CPU, one after the other, with the labels of the next made while one is
// worked on.
#pragma once

#include <cstdint>
#include <utility>
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
  explicit Stepper(Workplace workplace) : work_(std::move(workplace)) {}

  // Trains on `input`; `next` is what the following call will bring, if there is one. Throws
  // Error(failure) where the loss is not a number; weights are then as they were.
  // Where anything else is thrown (by the heartbeat, for want of memory), everything is as before
  // the step.
  void step(const StepInput& input, const StepInput* next);

  // The sum of the losses of all steps, and of what it was set to.
  double loss_sum() const { return loss_; }
  void set_loss_sum(double sum) { loss_ = sum; }

 private:
  void make_step(const StepInput& input);

  Workplace work_;
  std::vector<float> labels_;
  bool prepared_ = false;
  double loss_ = 0;
};

}  // namespace tsmini::learn
