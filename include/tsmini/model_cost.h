// What a network costs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsmini/model.h"

namespace tsmini {

// Multiplications and additions of the forward pass of a trajectory of so many points: those of its
// products, in the network's own terms, whatever is folded or padded.
double forward_operations(const NetSettings& net, std::size_t points);

// Numbers that training finds: a model's tensors but for running statistics and the list of known
// cells, which it keeps beside them.
std::uint64_t parameter_count(const Model& model);
// Those of a network before there is one; `cells` are those that a network of grid cells knows.
std::uint64_t parameter_count(const NetSettings& net, std::size_t cells = 0);

}  // namespace tsmini
