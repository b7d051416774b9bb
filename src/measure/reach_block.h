// How far trajectories reach, in blocks: what reach_bounds.h compares.
#pragma once

#include <cstddef>

#include "measure/bound_lanes.h"

namespace tsmini {

inline constexpr std::size_t reach_directions = 16;

// What is compared: how far a trajectory reaches in each direction, and then x and y of its first
// and of its last point.
inline constexpr std::size_t reach_values = reach_directions + 4;

// A block of trajectories, transposed.
struct alignas(64) ReachBlock {
  float value[reach_values][bound_lanes];
};
// Hulls of blocks: the least and the largest value of each.
struct ReachHulls {
  ReachBlock low, high;
};

}  // namespace tsmini
