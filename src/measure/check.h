// What distance() and the engine refuse.
#pragma once

#include <cstddef>
#include <span>

#include "tsmini/measure.h"

namespace tsmini {

// Throws Error(bad_input) for an empty trajectory, and for edwp one of a single point.
void check_length(Measure measure, std::size_t points);
inline void check_points(Measure measure, std::span<const Planar> points) {
  check_length(measure, points.size());
}

// Throws Error(bad_input) where a point is farther from the origin than single precision takes
// (largest_extent of rounding.h).
void check_single_extent(std::span<const Planar> points, const Planar& origin);

}  // namespace tsmini
