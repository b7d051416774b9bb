// What a network costs.
#pragma once

#include <cstddef>

#include "tsmini/model.h"

namespace tsmini {

// Multiplications and additions of the forward pass of a trajectory of so many points: those of its
// products, in the network's own terms, whatever is folded or padded.
double forward_operations(const NetSettings& net, std::size_t points);

}  // namespace tsmini
