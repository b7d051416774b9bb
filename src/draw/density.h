// The ground of a map: how many trips of a data set pass over each pixel, and of which tint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"

#include "draw/frame.h"
#include "draw/ground_tints.h"
#include "draw/raster.h"
#include "draw/tone.h"

namespace tsmini {

struct Density {
  DensityRaster raster;
  std::uint64_t points_outside = 0;  // of the frame
};

// The density of these trips, made on all cores; the same for any number of threads. The heartbeat
// advances by trips.
Density density_of(const Dataset& data, std::span<const std::size_t> trips, const Frame& frame,
                   const Heartbeat& heartbeat);

struct GroundDensity {
  DensityRaster plain;              // of trips of no tint
  DensityRaster tinted;             // of all others
  std::vector<std::uint8_t> tints;  // by pixel, row by row: that of most of these; 0 where none is
  std::uint64_t points_outside = 0;

  std::uint8_t tint_at(int x, int y) const {
    return tints[static_cast<std::size_t>(y) * static_cast<std::size_t>(plain.width()) +
                 static_cast<std::size_t>(x)];
  }
};

// The densities of all trips.
GroundDensity ground_density(const Dataset& data, const GroundTints& tints, const Frame& frame,
                             const Heartbeat& heartbeat);

// How much of its tint a pixel shows, from 0 to 1: a single trip is seen well, many more so.
double tint_strength(double density, const Tone& tone);

}  // namespace tsmini
