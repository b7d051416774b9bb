// How the learning rate rises and falls.
#pragma once

#include <cstdint>

#include "tsmini/recipe.h"

namespace tsmini::learn {

// Share of the full rate at `progress` (0 … 1 of the budget), after `step` steps.
double rate_share(const Recipe& recipe, double progress, std::uint64_t step);

}  // namespace tsmini::learn
