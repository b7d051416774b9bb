#include "learn/optimiser.h"

#include <algorithm>
#include <cmath>

#include "learn/parallel.h"

namespace tsmini::learn {
namespace {

constexpr std::size_t at_once = 1 << 14;

}  // namespace

Optimiser::Optimiser(const Parameters<float>& parameters, double weight_decay, double average)
    : weight_decay_(static_cast<float>(weight_decay)),
      keep_(average),
      first_(parameters.weights().size()),
      second_(parameters.weights().size()),
      average_(parameters.weights().begin(), parameters.weights().end()),
      average_buffers_(parameters.buffers().begin(), parameters.buffers().end()) {}

StepRates Optimiser::rates(std::uint64_t step, double rate) const {
  const auto t = static_cast<double>(step + 1);
  return {static_cast<float>(rate), static_cast<float>(1 - std::pow(double{adam_beta1}, t)),
          static_cast<float>(1 - std::pow(double{adam_beta2}, t)),
          static_cast<float>(std::min(keep_, t / (10 + t)))};
}

void Optimiser::step(Parameters<float>& parameters, const StepRates& rates) {
  const std::span<const float> gradient = parameters.gradient();
  const std::span<float> weights = parameters.weights();
  const float rate = rates.rate / rates.first_correction;
  const float correction = 1 / std::sqrt(rates.second_correction);
  const float share = 1 - rates.average_keep;
  each_piece(weights.size(), at_once, [&](std::size_t from, std::size_t count) {
    for (std::size_t i = from; i < from + count; ++i) {
      const float g = gradient[i] + weight_decay_ * weights[i];
      first_[i] += (1 - adam_beta1) * (g - first_[i]);
      second_[i] += (1 - adam_beta2) * (g * g - second_[i]);
      weights[i] -= rate * first_[i] / (std::sqrt(second_[i]) * correction + adam_epsilon);
      average_[i] += share * (weights[i] - average_[i]);
    }
  });
  const std::span<const float> buffers = parameters.buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    average_buffers_[i] += share * (buffers[i] - average_buffers_[i]);
}

std::array<std::pair<std::string_view, std::span<float>>, 4> Optimiser::state() {
  return {{{"optimiser.first", first_},
           {"optimiser.second", second_},
           {"optimiser.average", average_},
           {"optimiser.average_buffers", average_buffers_}}};
}

}  // namespace tsmini::learn
