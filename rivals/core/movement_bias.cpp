#include "rivals/core/movement_bias.h"

namespace tsmini::rivals {
namespace {

constexpr double scale = 10, first_gamma = .5;

}  // namespace

MovementBiasImpl::MovementBiasImpl(std::int64_t heads, bool mixed) : heads_(heads), mixed_(mixed) {
  gamma_ = register_parameter("gamma", torch::full({1}, first_gamma));
}

Tensor MovementBiasImpl::forward(const Tensor& weights) {
  const Tensor bias = scale * gamma_.sigmoid() * weights;
  if (!mixed_) return bias;
  const std::int64_t batch = bias.size(0), length = bias.size(2);
  return bias.repeat({heads_, 1, 1, 1}).reshape({batch, heads_, length, length});
}

}  // namespace tsmini::rivals
