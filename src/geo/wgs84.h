// The WGS84 ellipsoid and what a degree measures on it.
#pragma once

#include <cmath>
#include <numbers>

namespace tsmini {

namespace wgs84 {
inline constexpr double semi_major_axis = 6378137.0;  // metres
inline constexpr double flattening = 1 / 298.257223563;
inline constexpr double eccentricity_squared = flattening * (2 - flattening);
}  // namespace wgs84

inline constexpr double radians_per_degree = std::numbers::pi / 180;

// `degrees` plus or minus whole turns, within [-180, 180]; both ends stay as they are.
inline double wrapped_degrees(double degrees) {
  return std::remainder(degrees, 360.0);
}

struct DegreeLength {
  double lon;  // metres per degree of longitude
  double lat;  // metres per degree of latitude
};

// The length of a degree at a latitude (degrees), by the ellipsoid's radii of curvature.
inline DegreeLength degree_length_at(double latitude) {
  const double sine = std::sin(latitude * radians_per_degree);
  const double cosine = std::cos(latitude * radians_per_degree);
  const double w2 = 1 - wgs84::eccentricity_squared * sine * sine;
  const double prime_vertical = wgs84::semi_major_axis / std::sqrt(w2);
  const double meridional = prime_vertical * (1 - wgs84::eccentricity_squared) / w2;
  return {prime_vertical * cosine * radians_per_degree, meridional * radians_per_degree};
}

}  // namespace tsmini
