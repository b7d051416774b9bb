// One training step, on the CPU or on a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "learn/feature_store.h"
#include "learn/net.h"
#include "learn/optimiser.h"
#include "learn/recipe.h"
#include "learn/truth.h"

namespace tsmini::learn {

// What a step works on. All of it outlives the stepper.
struct Bench {
  Net& net;
  Optimiser& optimiser;
  const FeatureStore& store;
  LabelSource& labels;
  const LossSettings& loss;
  double largest;  // distance that labels are divided by
};

// The inputs of one step.
struct StepInput {
  std::vector<int> ids;  // ascending
  StepRates rates;
  std::int64_t key = 0;  // what dropout draws from
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // Trains on `input`; `next` is what the following call will bring, if there is one, so that its
  // labels can be made meanwhile. May return before the work is done.
  virtual void step(const StepInput& input, const StepInput* next) = 0;

  // The mean loss since the last call. Waits for the work.
  virtual double take_loss() = 0;
};

// On the device of the net.
std::unique_ptr<Stepper> make_stepper(const Bench& bench);
std::unique_ptr<Stepper> make_gpu_stepper(const Bench& bench);

// Forward, backward and optimiser for one batch; returns the loss.
at::Tensor train_once(const Bench& bench, const Packed& points, const at::Tensor& labels,
                      const at::Tensor& largest, const at::Tensor& key, const at::Tensor& rates);

}  // namespace tsmini::learn
