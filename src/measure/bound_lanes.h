// How many trajectories, or hulls of them, stand side by side in what bounds compare with a query
// (search_tables.h), so that vector instructions take them together.
#pragma once

#include <cstddef>

namespace tsmini {

inline constexpr std::size_t bound_lanes = 16;  // trajectories of a block

}  // namespace tsmini
