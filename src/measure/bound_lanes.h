#pragma once

#include <cstddef>

namespace tsmini {

inline constexpr std::size_t bound_lanes = 16;  // trajectories of a block

}  // namespace tsmini
