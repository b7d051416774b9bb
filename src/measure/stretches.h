// How a trajectory is cut into 8 stretches of consecutive points, and boxes in lanes of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsmini/space.h"

#include "measure/bound_lanes.h"
#include "measure/grid.h"

namespace tsmini {

inline constexpr std::size_t stretches = 8;

struct alignas(64) GridBoxes {
  std::uint32_t low[bound_lanes], high[bound_lanes];
};

// A trajectory of fewer points than stretches leaves the last of them empty: an empty stretch has
// the last point once more, which counts for nothing.
std::span<const Planar> stretch_points(std::span<const Planar> points, std::size_t s);

// The points of stretch s, and the first of the next: what holds the segments of a stretch, and
// the one that leads on.
std::span<const Planar> stretch_path(std::span<const Planar> points, std::size_t s);

// Points of a stretch, but for the first and the last of the trajectory.
float inner_points(std::size_t length, std::size_t s);

GridBox get_box(const GridBoxes& boxes, std::size_t lane);
void set_box(GridBoxes& boxes, std::size_t lane, const GridBox& box);
// Around the first `lanes` boxes.
GridBox hull_of(const GridBoxes& boxes, std::size_t lanes);

}  // namespace tsmini
