// Where the bulk of the points lies, whatever glitches do to the extent.
//
// Per axis the range that holds the central `share` of the points: for 0.98 from the 1st to the
// 99th percentile. Taken from at most about a million points, evenly spaced over the data: linear
// time, at most 16 MB.
//
// Degrees: where the bulk straddles the antimeridian, longitudes count from 0 to 360, and so
// max_lon may exceed 180.
#pragma once

#include <optional>

#include "tsmini/dataset.h"
#include "tsmini/trajectory.h"

namespace tsmini {

// Nothing where there are no points. `marked_only`: only trajectories that carry a split mark.
std::optional<Box> central_box(const Dataset& data, double share, bool marked_only);

}  // namespace tsmini
