#include "learn/gradients.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "base/random.h"

namespace tsmini {

at::Tensor random_tensor(std::vector<std::int64_t> shape, std::uint64_t seed) {
  at::Tensor tensor = at::empty(shape, at::kDouble);
  Random random(seed, 0x7e57);
  std::generate_n(tensor.data_ptr<double>(), tensor.numel(), [&] { return random.normal(); });
  return tensor;
}

learn::Packing packing_of(const std::vector<int>& lengths, std::int64_t lost, std::int64_t spare) {
  const auto count = static_cast<std::int64_t>(lengths.size());
  at::Tensor starts = at::zeros({count + 1}, at::kInt);
  std::partial_sum(lengths.begin(), lengths.end(), starts.data_ptr<int>() + 1);
  return {starts, count, starts.data_ptr<int>()[count] + spare, lost};
}

std::vector<at::Tensor> with_gradients(const Operation& operation,
                                       const std::vector<at::Tensor>& inputs,
                                       const at::Tensor& weighting) {
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& input : inputs)
    leaves.push_back(input.detach().clone().set_requires_grad(true));
  const at::Tensor result = operation(leaves);
  std::vector<at::Tensor> all = {result.detach()};
  for (const at::Tensor& gradient :
       torch::autograd::grad({result}, leaves, {weighting.expand_as(result).contiguous()}))
    all.push_back(gradient);
  return all;
}

void expect_gradients(const Operation& operation, const std::vector<at::Tensor>& inputs) {
  constexpr double step = 1e-6;
  constexpr std::size_t most = 60;
  at::Tensor weighting;
  {
    const at::NoGradGuard no_grad;
    weighting = random_tensor(operation(inputs).sizes().vec(), 99);
  }
  const std::vector<at::Tensor> analytic = with_gradients(operation, inputs, weighting);
  const at::NoGradGuard no_grad;
  Random random(5);
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    const at::Tensor& gradient = analytic[which + 1];
    const double largest = std::max(gradient.abs().max().item<double>(), 1e-3);
    const auto size = static_cast<std::size_t>(inputs[which].numel());
    for (std::size_t n = 0; n < std::min(most, size); ++n) {
      const std::size_t entry = size <= most ? n : random.below(size);
      const auto value_at = [&](double moved) {
        std::vector<at::Tensor> near = inputs;
        near[which] = inputs[which].detach().clone();
        near[which].data_ptr<double>()[entry] += moved;
        return (operation(near) * weighting).sum().item<double>();
      };
      const double expected = (value_at(step) - value_at(-step)) / (2 * step);
      ASSERT_NEAR(gradient.contiguous().data_ptr<double>()[entry], expected, 2e-7 * largest)
          << "input " << which << ", entry " << entry;
    }
  }
}

}  // namespace tsmini
