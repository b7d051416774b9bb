// How a trip moves at one of its points, given the points before and after it.
#pragma once

#include "tsmini/space.h"

namespace tsmini::rivals {

// Lengths of segments are divided by so many cells.
inline constexpr double segment_unit = 11 / 1.414;

// Mean length of the two segments that meet there.
double mean_segment(const Planar& before, const Planar& at, const Planar& after);

// 1 - |π - α + β| / π, where α and β are the directions to the points before and after, clockwise
// from north: 1 or -1 (by the half of the compass that it heads to) where it goes straight on, 0
// where it turns back.
double turning_term(const Planar& before, const Planar& at, const Planar& after);

// How much the trip turns there: 0 straight on, 1 back; 0 where it does not move.
double turn(const Planar& before, const Planar& at, const Planar& after);

}  // namespace tsmini::rivals
