// Adam on all weights at once, with a moving average of them, on the CPU or on a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "learn/parameters.h"
#include "learn/tape.h"

namespace tsmini::learn {

inline constexpr float adam_beta1 = 0.9F, adam_beta2 = 0.999F, adam_epsilon = 1e-8F;

// What changes from step to step.
struct StepRates {
  float rate = 0;
  float first_correction = 1;   // 1 - beta1^t
  float second_correction = 1;  // 1 - beta2^t
  float average_keep = 0;       // share of the average that stays
};

// The rates of step number `step` (from 0), at the given learning rate. `average`: share of the
// average of weights that stays from step to step; less in the first.
StepRates rates_of(std::uint64_t step, double rate, double average);

template <typename T>
class Optimiser {
 public:
  Optimiser(const Parameters<T>& parameters, double weight_decay);

  // One step along the gradient of the parameters; none where *loss is not a number. Both are where
  // the parameters are.
  void step(Tape<T>& tape, Parameters<T>& parameters, const StepRates* rates, const double* loss);

  // The averaged weights and buffers; the newest ones where nothing is averaged.
  std::span<const T> average_weights() const { return {average_.data(), average_.size()}; }
  std::span<const T> average_buffers() const {
    return {average_buffers_.data(), average_buffers_.size()};
  }

  // All that a checkpoint must keep.
  std::array<std::pair<std::string_view, std::span<T>>, 4> state();

 private:
  using Block = typename Storage<T>::template Block<T>;

  float weight_decay_;
  Block first_, second_, average_, average_buffers_;
};

}  // namespace tsmini::learn
