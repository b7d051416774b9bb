// What a network costs: operations of a trajectory, and numbers to learn. For estimates before a
// training, and for speeds in operations a second.
//
//   std::cout << parameter_count(model) << " parameters, "
//             << forward_operations(model.net, 50) / 1e6 << " million operations a trip\n";
//
// A step of training takes about three times the forward pass of its trips.
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
// The same for a network that is yet to be made; `cells`: how many a network of grid cells knows.
std::uint64_t parameter_count(const NetSettings& net, std::size_t cells = 0);

}  // namespace tsmini
