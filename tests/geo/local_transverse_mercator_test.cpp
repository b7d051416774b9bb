#include "geo/local_transverse_mercator.h"

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "geo/kruger_series.h"
#include "geo/transverse_mercator.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

// The full formula rounds at some ten million metres from the equator: 2e-9 each.
constexpr double tolerance = 1e-8;

// The full formula once more, with 64 bits of mantissa: it errs by a picometre.
struct WidePlanar {
  long double x, y;
};

WidePlanar wide_transverse_mercator(double central_meridian, const Position& position) {
  using Wide = long double;
  constexpr Wide degree = std::numbers::pi_v<Wide> / 180;
  const Wide e2 = Wide{wgs84::eccentricity_squared}, e = std::sqrt(e2);
  const Wide lon = (Wide{position.lon} - Wide{central_meridian}) * degree;
  const Wide tau = std::tan(Wide{position.lat} * degree), secant = std::sqrt(1 + tau * tau);
  const Wide sigma = std::sinh(e * std::atanh(e * tau / secant));
  const Wide conformal = tau * std::sqrt(1 + sigma * sigma) - sigma * secant;
  const std::complex<Wide> zeta(std::atan2(conformal, std::cos(lon)),
                                std::asinh(std::sin(lon) / std::hypot(conformal, std::cos(lon))));
  std::complex<Wide> sum = zeta;
  for (std::size_t j = 0; j < kruger::forward_series.size(); ++j) {
    sum += Wide{kruger::forward_series[j]} * std::sin(Wide(2 * (j + 1)) * zeta);
  }
  return {Wide{kruger::rectifying_radius} * sum.imag(),
          Wide{kruger::rectifying_radius} * sum.real()};
}

// Nearly to the corners of what the series serve.
TEST(LocalTransverseMercator, IsWithinANanometreWhereTheSeriesServe) {
  for (const double lat : {0.0, 12.5, 41.15, -53.2, 60.0, 78.2}) {
    const Position origin{-8.61, lat};
    const LocalTransverseMercator local(origin);
    const long double northing = wide_transverse_mercator(origin.lon, origin).y;
    const double reach_lat = 0.045 * (90 - std::abs(lat)),
                 reach_lon = 0.04 * 180 / std::numbers::pi;
    for (int north = -8; north <= 8; ++north) {
      for (int east = -8; east <= 8; ++east) {
        const Position p{origin.lon + east / 8.01 * reach_lon, lat + north / 8.01 * reach_lat};
        const WidePlanar wide = wide_transverse_mercator(origin.lon, p);
        const Planar found = local(p);
        ASSERT_NEAR(static_cast<double>(found.x - wide.x), 0, 1e-9) << p.lon << ' ' << p.lat;
        ASSERT_NEAR(static_cast<double>(found.y - (wide.y - northing)), 0, 1e-9)
            << p.lon << ' ' << p.lat;
      }
    }
  }
}

class LocalTest : public testing::TestWithParam<Position> {};

TEST_P(LocalTest, AgreesWithTheFullFormulaWithinItsReachAndBeyond) {
  const Position origin = GetParam();
  const LocalTransverseMercator local(origin);
  const double northing = transverse_mercator(origin.lon, origin).y;
  EXPECT_EQ(local.origin_northing(), northing);
  for (double lat = -5; lat <= 5; lat += 0.0625) {
    for (double lon = -4; lon <= 4; lon += 0.0625) {
      const Position p{origin.lon + lon, origin.lat + lat};
      if (std::abs(p.lat) > 90) continue;
      const Planar full = transverse_mercator(origin.lon, p);
      const Planar found = local(p);
      ASSERT_NEAR(found.x, full.x, tolerance) << p.lon << ' ' << p.lat;
      ASSERT_NEAR(found.y, full.y - northing, tolerance) << p.lon << ' ' << p.lat;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Origins, LocalTest,
                         testing::Values(Position{-8.61, 41.15}, Position{116.4, 39.9},
                                         Position{0, 0}, Position{20, 60}, Position{-70, -53.2},
                                         Position{25, 78.2}, Position{10, 89.5}, Position{0, 90},
                                         Position{5, -90}));

// The complex meridian arc, integrated numerically to 40 digits: the same as for the full formula,
// less that of the origin at 41.15 degrees.
TEST(LocalTransverseMercator, AgreesWithExactValues) {
  const Planar p = LocalTransverseMercator({20, 41.15})({21, 41.15});
  EXPECT_NEAR(p.x, 83944.73411097032, 1e-9);
  EXPECT_NEAR(p.y, 4557713.6669547221 - transverse_mercator(20, {20, 41.15}).y, 2e-9);
}

TEST(LocalTransverseMercator, TheOriginIsTheOrigin) {
  const Planar p = LocalTransverseMercator({-8.61, 41.15})({-8.61, 41.15});
  EXPECT_EQ(p.x, 0);
  EXPECT_EQ(p.y, 0);
}

TEST(LocalTransverseMercator, CrossesTheAntimeridian) {
  const Planar across = LocalTransverseMercator({179.5, -17})({-179.5, -17.25});
  const Planar plain = LocalTransverseMercator({9.5, -17})({10.5, -17.25});
  EXPECT_NEAR(across.x, plain.x, 1e-8);
  EXPECT_NEAR(across.y, plain.y, 1e-8);
}

}  // namespace
}  // namespace tsmini
