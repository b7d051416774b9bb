// Gradients of operations, against central differences in double precision.
#pragma once

#include <functional>
#include <vector>

#include <ATen/ATen.h>

#include "learn/ops/packing.h"

namespace tsmini {

using Operation = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

// Of a random weighting of what the operation returns, by up to 60 entries of every input.
void expect_gradients(const Operation& operation, const std::vector<at::Tensor>& inputs);

// Standard normal numbers that depend on the seed alone, in double precision.
at::Tensor random_tensor(std::vector<std::int64_t> shape, std::uint64_t seed);

// Trajectories of these many points, at a layer that has lost rows already.
learn::Packing packing_of(const std::vector<int>& lengths, std::int64_t lost = 0,
                          std::int64_t spare = 0);

// What the operation returns, weighted at random and differentiated by every input: first the
// result, then the gradients.
std::vector<at::Tensor> with_gradients(const Operation& operation,
                                       const std::vector<at::Tensor>& inputs,
                                       const at::Tensor& weighting);

}  // namespace tsmini
