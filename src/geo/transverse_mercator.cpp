#include "geo/transverse_mercator.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

#include "geo/kruger_series.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

using kruger::rectifying_radius;

// The series converges for |eta| below 3.19; this is at 3.0.
constexpr double sinh_eta_limit = 10.0;

// Clenshaw's summation, given the sine and cosine of 2 z.
std::complex<double> sum_of(const kruger::SineSeries& c, std::complex<double> sine,
                            std::complex<double> cosine) {
  std::complex<double> b1 = 0, b2 = 0;
  for (std::size_t j = c.size(); j-- > 0;) {
    const std::complex<double> b0 = 2.0 * cosine * b1 - b2 + c[j];
    b2 = b1;
    b1 = b0;
  }
  return b1 * sine;
}

double secant_from(double tangent) {
  return std::sqrt(1 + tangent * tangent);
}

// Tangents of the geographic and the conformal latitude.
double conformal_from(double tau) {
  const double e = std::sqrt(wgs84::eccentricity_squared);
  const double secant = secant_from(tau);
  const double sigma = std::sinh(e * std::atanh(e * tau / secant));
  return tau * secant_from(sigma) - sigma * secant;
}

double geographic_from(double conformal) {
  constexpr double e2m = 1 - wgs84::eccentricity_squared;
  double tau = conformal / e2m;
  // Newton; three steps leave only rounding.
  for (int step = 0; step < 3; ++step) {
    const double reached = conformal_from(tau);
    tau += (conformal - reached) / secant_from(reached) * (1 + e2m * tau * tau) /
           (e2m * secant_from(tau));
  }
  return tau;
}

}  // namespace

Planar transverse_mercator(double central_meridian, const Position& position) {
  const double lon = wrapped_degrees(position.lon - central_meridian) * radians_per_degree;
  const double conformal = conformal_from(std::tan(position.lat * radians_per_degree));
  const double cosine = std::cos(lon);
  const double radius2 = conformal * conformal + cosine * cosine;
  const double sinh_eta =
      std::clamp(std::sin(lon) / std::sqrt(radius2), -sinh_eta_limit, sinh_eta_limit);
  std::complex<double> zeta(std::atan2(conformal, cosine), std::asinh(sinh_eta));

  const double sin_2xi = 2 * conformal * cosine / radius2;
  const double cos_2xi = (cosine * cosine - conformal * conformal) / radius2;
  const double sinh_2eta = 2 * sinh_eta * secant_from(sinh_eta);
  const double cosh_2eta = 1 + 2 * sinh_eta * sinh_eta;
  zeta += sum_of(kruger::forward_series, {sin_2xi * cosh_2eta, cos_2xi * sinh_2eta},
                 {cos_2xi * cosh_2eta, -sin_2xi * sinh_2eta});
  return {rectifying_radius * zeta.imag(), rectifying_radius * zeta.real()};
}

Position position_from_transverse_mercator(double central_meridian, const Planar& point) {
  std::complex<double> zeta(point.y / rectifying_radius, point.x / rectifying_radius);
  zeta += sum_of(kruger::inverse_series, std::sin(2.0 * zeta), std::cos(2.0 * zeta));
  const double sinh_eta = std::sinh(zeta.imag());
  const double cos_xi = std::cos(zeta.real());
  const double conformal = std::sin(zeta.real()) / std::hypot(sinh_eta, cos_xi);
  const double lon = std::atan2(sinh_eta, cos_xi) / radians_per_degree;
  return {wrapped_degrees(central_meridian + lon),
          std::atan(geographic_from(conformal)) / radians_per_degree};
}

}  // namespace tsmini
