#include "geo/local_transverse_mercator.h"

#include <cmath>
#include <numbers>

#include "geo/kruger_series.h"
#include "geo/transverse_mercator.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

// The first coefficients of a power series, that of the power 0 among them.
template <std::size_t size>
using Powers = std::array<double, size>;

// The coefficient of one power of a product.
template <std::size_t size>
double product_at(const Powers<size>& a, const Powers<size>& b, std::size_t power) {
  double sum = 0;
  for (std::size_t k = 0; k <= power; ++k) sum += a[k] * b[power - k];
  return sum;
}

template <std::size_t size>
Powers<size> product(const Powers<size>& a, const Powers<size>& b) {
  Powers<size> result{};
  for (std::size_t k = 0; k < size; ++k) result[k] = product_at(a, b, k);
  return result;
}

template <std::size_t size>
Powers<size> inverse(const Powers<size>& a) {
  Powers<size> result{1 / a[0]};
  for (std::size_t k = 1; k < size; ++k) {
    result[k] = 0;
    result[k] = -product_at(a, result, k) / a[0];
  }
  return result;
}

// What has this derivative, without the constant: the first is that of the power 1.
template <std::size_t size>
Powers<size> integral(const Powers<size>& derivative) {
  Powers<size> result{};
  for (std::size_t k = 0; k < size; ++k) result[k] = derivative[k] / static_cast<double>(k + 1);
  return result;
}

// Sine and cosine of a function, given its value and its derivative: s' = c f', c' = -s f'.
template <std::size_t size>
struct SineAndCosine {
  SineAndCosine(double value, const Powers<size>& derivative) {
    sine[0] = std::sin(value);
    cosine[0] = std::cos(value);
    for (std::size_t k = 0; k + 1 < size; ++k) {
      sine[k + 1] = product_at(cosine, derivative, k) / static_cast<double>(k + 1);
      cosine[k + 1] = -product_at(sine, derivative, k) / static_cast<double>(k + 1);
    }
  }
  Powers<size> sine{}, cosine{};
};

// The tangent of the conformal latitude, which is the hyperbolic sine of the isometric one.
double conformal_tangent(double latitude) {
  const double e = std::sqrt(wgs84::eccentricity_squared);
  return std::sinh(std::asinh(std::tan(latitude)) - e * std::atanh(e * std::sin(latitude)));
}

}  // namespace

// d isometric / d latitude = (1 - e²) / ((1 - e² sin²) cos).
LocalTransverseMercator::Series LocalTransverseMercator::isometric_series(double latitude) {
  const SineAndCosine<terms> around(latitude, {1});
  Powers<terms> rest = product(around.sine, around.sine);
  for (double& c : rest) c *= -wgs84::eccentricity_squared;
  rest[0] += 1;
  Powers<terms> derivative = inverse(product(rest, around.cosine));
  for (double& c : derivative) c *= 1 - wgs84::eccentricity_squared;
  return integral(derivative);
}

// The conformal latitude has the derivative s = sech of the isometric one, where s' = -s t and
// t' = s² for its hyperbolic tangent t; the northing adds Krüger's sines of its multiples.
LocalTransverseMercator::Series LocalTransverseMercator::northing_series(double latitude) {
  const double tangent = conformal_tangent(latitude);
  Powers<terms> s{}, t{};
  s[0] = 1 / std::sqrt(1 + tangent * tangent);
  t[0] = tangent * s[0];
  for (std::size_t k = 0; k + 1 < terms; ++k) {
    s[k + 1] = -product_at(s, t, k) / static_cast<double>(k + 1);
    t[k + 1] = product_at(s, s, k) / static_cast<double>(k + 1);
  }
  Powers<terms> derivative = s;
  for (std::size_t j = 0; j < kruger::forward_series.size(); ++j) {
    const double multiple = 2 * static_cast<double>(j + 1);
    Powers<terms> inner = s;
    for (double& c : inner) c *= multiple;
    const SineAndCosine<terms> around(multiple * std::atan(tangent), inner);
    for (std::size_t k = 0; k < terms; ++k) {
      derivative[k] += kruger::forward_series[j] * product_at(around.cosine, inner, k);
    }
  }
  Series northing = integral(derivative);
  for (double& c : northing) c *= kruger::rectifying_radius;
  return northing;
}

LocalTransverseMercator::LocalTransverseMercator(const Position& origin)
    : origin_(origin),
      origin_northing_(transverse_mercator(origin.lon, origin).y),
      reach_lat_(0.045 * (std::numbers::pi / 2 - std::abs(origin.lat) * radians_per_degree)),
      isometric_(isometric_series(origin.lat * radians_per_degree)),
      northing_(northing_series(origin.lat * radians_per_degree)) {}

Planar LocalTransverseMercator::operator()(const Position& position) const {
  const double degrees = position.lon - origin_.lon;
  const double lon =
      (std::abs(degrees) > 180 ? wrapped_degrees(degrees) : degrees) * radians_per_degree;
  const double lat = (position.lat - origin_.lat) * radians_per_degree;
  if (!(std::abs(lon) <= reach_lon_ && std::abs(lat) <= reach_lat_)) {
    const Planar p = transverse_mercator(origin_.lon, position);
    return {p.x, p.y - origin_northing_};
  }
  double isometric = 0;
  for (std::size_t k = terms; k-- > 0;) isometric = (isometric + isometric_[k]) * lat;
  double north = 0, east = 0;
  for (std::size_t k = terms; k-- > 0;) {
    const double real = north + northing_[k];
    north = real * isometric - east * lon;
    east = real * lon + east * isometric;
  }
  return {east, north};
}

}  // namespace tsmini
