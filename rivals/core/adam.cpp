#include "rivals/core/adam.h"

#include <cmath>

namespace tsmini::rivals {
namespace {

constexpr double beta1 = .9, beta2 = .999, epsilon = 1e-8;

}  // namespace

Adam::Adam(const std::vector<Stage::Group>& groups) {
  const torch::NoGradGuard no_grad;
  for (const Stage::Group& group : groups) {
    std::vector<Tensor> flat;
    for (const Tensor& parameter : group.parameters) flat.push_back(parameter.detach().reshape(-1));
    Block block;
    block.values = torch::cat(flat);
    block.gradients = torch::zeros_like(block.values);
    block.first = torch::zeros_like(block.values);
    block.second = torch::zeros_like(block.values);
    block.weight_decay = group.weight_decay;
    std::int64_t offset = 0;
    for (Tensor parameter : group.parameters) {
      const std::int64_t size = parameter.numel();
      parameter.set_data(block.values.narrow(0, offset, size).view(parameter.sizes()));
      parameter.mutable_grad() = block.gradients.narrow(0, offset, size).view(parameter.sizes());
      offset += size;
    }
    blocks_.push_back(block);
  }
}

void Adam::zero_gradients() {
  for (Block& block : blocks_) block.gradients.zero_();
}

void Adam::step(double rate) {
  const torch::NoGradGuard no_grad;
  const auto t = static_cast<double>(++steps_);
  const double size = rate / (1 - std::pow(beta1, t));
  const double correction = 1 / std::sqrt(1 - std::pow(beta2, t));
  for (Block& block : blocks_) {
    if (block.weight_decay > 0) block.gradients.add_(block.values, block.weight_decay);
    block.first.lerp_(block.gradients, 1 - beta1);
    block.second.mul_(beta2).addcmul_(block.gradients, block.gradients, 1 - beta2);
    block.values.addcdiv_(block.first, block.second.sqrt().mul_(correction).add_(epsilon), -size);
  }
}

}  // namespace tsmini::rivals
