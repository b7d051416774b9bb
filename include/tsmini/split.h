// Drawing trajectories: samples, and the marks of train, validation and test.
#pragma once

#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

namespace tsmini {

// `wanted` distinct numbers below `count` (all of them if there are fewer), rising.
std::vector<std::size_t> draw_sample(std::size_t count, std::size_t wanted, std::uint64_t seed);

// A mark for each of `count` trajectories. Throws Error(bad_input) where there are too few.
std::vector<Part> draw_split(std::size_t count, const SplitOptions& options, std::uint64_t seed);

}  // namespace tsmini
