// Spherical ("Web") Mercator: metres on a sphere of radius 6378137, the origin at lon 0, lat 0.
//
// Conformal, but a metre of it is only cos(latitude) metres on the ground: at Porto 0.75. The
// poles, which Mercator sends to infinity, come out near y = ±2.4e8 and stay finite.
#pragma once

#include <cmath>

#include "tsmini/trajectory.h"

#include "geo/wgs84.h"

namespace tsmini {

inline constexpr double mercator_radius = 6378137.0;

inline Planar mercator_from(const Position& p) {
  return {mercator_radius * (p.lon * radians_per_degree),
          mercator_radius * std::asinh(std::tan(p.lat * radians_per_degree))};
}

inline Position position_from_mercator(const Planar& p) {
  return {p.x / mercator_radius / radians_per_degree,
          std::atan(std::sinh(p.y / mercator_radius)) / radians_per_degree};
}

}  // namespace tsmini
