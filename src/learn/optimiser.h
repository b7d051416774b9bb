// Adam on all weights at once, with a moving average of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/parameters.h"

namespace tsmini::learn {

inline constexpr float adam_beta1 = 0.9F, adam_beta2 = 0.999F, adam_epsilon = 1e-8F;

// What changes from step to step.
struct StepRates {
  float rate = 0;
  float first_correction = 1;   // 1 - beta1^t
  float second_correction = 1;  // 1 - beta2^t
  float average_keep = 0;       // share of the average that stays
};

class Optimiser {
 public:
  // `average`: share of the average of weights that stays from step to step; less in the first.
  Optimiser(const Parameters<float>& parameters, double weight_decay, double average);

  // Of step number `step` (from 0), at the given learning rate.
  StepRates rates(std::uint64_t step, double rate) const;

  // One step along the gradient of the parameters.
  void step(Parameters<float>& parameters, const StepRates& rates);

  // The averaged weights and buffers; the newest ones where nothing is averaged.
  std::span<const float> average_weights() const { return average_; }
  std::span<const float> average_buffers() const { return average_buffers_; }

  // All that a checkpoint must keep.
  std::array<std::pair<std::string_view, std::span<float>>, 4> state();

 private:
  float weight_decay_;
  double keep_;
  std::vector<float> first_, second_, average_, average_buffers_;
};

}  // namespace tsmini::learn
