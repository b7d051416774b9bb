// The cells around each known cell.
#pragma once

#include <cstdint>

#include "rivals/core/ground.h"

namespace tsmini::rivals {

// For every known cell the places of the (2 · reach + 1)² cells around it, row by row, itself in
// the middle; `none` for what is not known or outside the grid. [known, (2 · reach + 1)²], int32,
// on the CPU. Linear.
Tensor neighbourhoods(const Cells& cells, std::int64_t reach, std::int64_t none);

}  // namespace tsmini::rivals
