// Metres between two positions on the ground, quickly.
//
// For the per-point work of cleaning: jumps, speeds, repeated points. The earth is taken as flat
// around the mean latitude, with WGS84's radii of curvature there: a sine, a cosine and two square
// roots. Right to 0.1 % up to 50 km for latitudes within ±80°; further apart, or nearer to a pole,
// it is only a magnitude. The shorter way around counts, so the antimeridian is no border.
//
//   const bool is_jump = ground_distance(a, b) > 10'000;  // of more than 10 km
//
// To measure trajectories choose a Space (tsmini/space.h) instead.
#pragma once

#include <cmath>

#include "tsmini/trajectory.h"

#include "geo/wgs84.h"

namespace tsmini {

inline double ground_distance(const Position& a, const Position& b) {
  const DegreeLength degree = degree_length_at((a.lat + b.lat) / 2);
  const double east = wrapped_degrees(b.lon - a.lon) * degree.lon;
  const double north = (b.lat - a.lat) * degree.lat;
  return std::sqrt(east * east + north * north);
}

}  // namespace tsmini
