// The ground of a map: how many trips of a data set pass over each pixel.
#pragma once

#include <cstdint>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"

#include "draw/frame.h"
#include "draw/raster.h"

namespace tsmini {

struct Density {
  DensityRaster raster;
  std::uint64_t points_outside = 0;  // of the frame
};

// Every trip, on all cores. The same for any number of threads. The heartbeat advances by trips.
Density density_of(const Dataset& data, const Frame& frame, const Heartbeat& heartbeat);

}  // namespace tsmini
