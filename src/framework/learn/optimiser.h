// Adam on all weights at once, with a moving average of them.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "learn/parameters.h"

namespace tsmini::learn {

// What changes from step to step, as four floats on the device.
struct StepRates {
  float rate = 0;
  float first_correction = 1;   // 1 - beta1^t
  float second_correction = 1;  // 1 - beta2^t
  float average_keep = 0;       // share of the average that stays
};

class Optimiser {
 public:
  Optimiser(const Parameters& parameters, double weight_decay, double average);

  // Of step number `step` (from 0), at the given learning rate.
  StepRates rates(std::uint64_t step, double rate) const;

  // One step. `rates`: the four floats on the device. Gradients in the order of
  // Parameters::trained().
  void step(const Parameters& parameters, const std::vector<at::Tensor>& gradients,
            const at::Tensor& rates);

  // The averaged weights and buffers; the newest ones where nothing is averaged.
  const at::Tensor& average_weights() const { return average_; }
  const at::Tensor& average_buffers() const { return average_buffers_; }

  // All that a checkpoint must keep.
  std::vector<at::Tensor> state() const { return {first_, second_, average_, average_buffers_}; }

 private:
  float weight_decay_;
  double keep_;
  at::Tensor first_, second_, average_, average_buffers_;
};

}  // namespace tsmini::learn
