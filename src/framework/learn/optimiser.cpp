#include "learn/optimiser.h"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "learn/ops/packing.h"

namespace tsmini::learn {
namespace {

constexpr gpu::AdamSettings adam;

void step_on_cpu(std::int64_t size, float weight_decay, const StepRates& rates, const float* grad,
                 float* weights, float* first, float* second, float* average) {
  const float rate = rates.rate / rates.first_correction;
  const float correction = 1 / std::sqrt(rates.second_correction);
  at::parallel_for(0, size, 1 << 14, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) {
      const float g = grad[i] + weight_decay * weights[i];
      first[i] += (1 - adam.beta1) * (g - first[i]);
      second[i] += (1 - adam.beta2) * (g * g - second[i]);
      weights[i] -= rate * first[i] / (std::sqrt(second[i]) * correction + adam.epsilon);
      average[i] += (1 - rates.average_keep) * (weights[i] - average[i]);
    }
  });
}

}  // namespace

Optimiser::Optimiser(const Parameters& parameters, double weight_decay, double average)
    : weight_decay_(static_cast<float>(weight_decay)),
      keep_(average),
      first_(at::zeros_like(parameters.weights())),
      second_(at::zeros_like(parameters.weights())),
      average_(parameters.weights().clone()),
      average_buffers_(parameters.buffers().clone()) {}

StepRates Optimiser::rates(std::uint64_t step, double rate) const {
  const auto t = static_cast<double>(step + 1);
  return {static_cast<float>(rate), static_cast<float>(1 - std::pow(double{adam.beta1}, t)),
          static_cast<float>(1 - std::pow(double{adam.beta2}, t)),
          static_cast<float>(std::min(keep_, t / (10 + t)))};
}

void Optimiser::step(const Parameters& parameters, const std::vector<at::Tensor>& gradients,
                     const at::Tensor& rates) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> pieces;
  const std::vector<at::Tensor> trained = parameters.trained();
  const auto base = reinterpret_cast<std::uintptr_t>(parameters.weights().data_ptr());
  std::int64_t filled = 0;
  const auto pad_to = [&](std::int64_t offset) {
    if (offset > filled)
      pieces.push_back(at::zeros({offset - filled}, parameters.weights().options()));
    filled = std::max(filled, offset);
  };
  for (std::size_t i = 0; i < trained.size(); ++i) {
    pad_to(static_cast<std::int64_t>(
        (reinterpret_cast<std::uintptr_t>(trained[i].data_ptr()) - base) / sizeof(float)));
    pieces.push_back(gradients[i].reshape({-1}));
    filled += gradients[i].numel();
  }
  pad_to(parameters.weights().numel());
  const at::Tensor grad = at::cat(pieces);
  at::Tensor weights = parameters.weights();
  if (weights.is_cuda()) {
    if constexpr (with_cuda) {
      gpu::AdamSettings settings = adam;
      settings.decay = weight_decay_;
      gpu::adam(current_stream(), weights.numel(), settings, rates.data_ptr<float>(),
                grad.data_ptr<float>(), weights.data_ptr<float>(), first_.data_ptr<float>(),
                second_.data_ptr<float>(), average_.data_ptr<float>());
    }
  } else {
    const float* r = rates.data_ptr<float>();
    step_on_cpu(weights.numel(), weight_decay_, {r[0], r[1], r[2], r[3]}, grad.data_ptr<float>(),
                weights.data_ptr<float>(), first_.data_ptr<float>(), second_.data_ptr<float>(),
                average_.data_ptr<float>());
  }
  average_buffers_.lerp_(parameters.buffers(), 1 - rates[3]);
}

}  // namespace tsmini::learn
