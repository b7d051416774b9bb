#include "geo/ground_distance.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

// Vincenty's inverse formula: the geodesic to a millimetre.
double vincenty(const Position& p, const Position& q) {
  constexpr double a = 6378137, f = 1 / 298.257223563, b = a * (1 - f);
  constexpr double rad = radians_per_degree;
  const double u1 = std::atan((1 - f) * std::tan(p.lat * rad));
  const double u2 = std::atan((1 - f) * std::tan(q.lat * rad));
  const double su1 = std::sin(u1), cu1 = std::cos(u1), su2 = std::sin(u2), cu2 = std::cos(u2);
  const double l = (q.lon - p.lon) * rad;
  double lambda = l;
  for (int step = 0; step < 100; ++step) {
    const double sl = std::sin(lambda), cl = std::cos(lambda);
    const double ss = std::hypot(cu2 * sl, cu1 * su2 - su1 * cu2 * cl);
    if (ss == 0) return 0;
    const double cs = su1 * su2 + cu1 * cu2 * cl;
    const double sigma = std::atan2(ss, cs);
    const double sa = cu1 * cu2 * sl / ss;
    const double ca2 = 1 - sa * sa;
    const double c2m = ca2 == 0 ? 0 : cs - 2 * su1 * su2 / ca2;
    const double c = f / 16 * ca2 * (4 + f * (4 - 3 * ca2));
    const double next =
        l + (1 - c) * f * sa * (sigma + c * ss * (c2m + c * cs * (2 * c2m * c2m - 1)));
    const bool settled = std::abs(next - lambda) < 1e-14;
    lambda = next;
    if (!settled) continue;
    const double u = ca2 * (a * a - b * b) / (b * b);
    const double ka = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)));
    const double kb = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)));
    const double ds = kb * ss *
                      (c2m + kb / 4 *
                                 (cs * (2 * c2m * c2m - 1) -
                                  kb / 6 * c2m * (4 * ss * ss - 3) * (4 * c2m * c2m - 3)));
    return b * ka * (sigma - ds);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(GroundDistance, IsWithinATenthOfAPercentOfTheGeodesic) {
  for (double lat = -80; lat <= 80; lat += 10) {
    const DegreeLength degree = degree_length_at(lat);
    for (const double metres : {1.0, 100.0, 5'000.0, 50'000.0}) {
      for (int turn = 0; turn < 16; ++turn) {
        const double angle = turn * std::numbers::pi / 8;
        const Position a{11.5, lat};
        const Position b{a.lon + metres * std::cos(angle) / degree.lon,
                         a.lat + metres * std::sin(angle) / degree.lat};
        const double exact = vincenty(a, b);
        EXPECT_NEAR(ground_distance(a, b) / exact, 1, 1e-3) << lat << ' ' << metres << ' ' << turn;
        EXPECT_EQ(ground_distance(a, b), ground_distance(b, a));
      }
    }
  }
}

TEST(GroundDistance, KnowsADegree) {
  // Published lengths of a degree of latitude and of longitude.
  EXPECT_NEAR(ground_distance({0, 44.5}, {0, 45.5}), 111132, 1);
  EXPECT_NEAR(ground_distance({0, 0}, {1, 0}), 111319.49, 0.01);
  EXPECT_EQ(ground_distance({3, 50}, {3, 50}), 0);
}

TEST(GroundDistance, CrossesTheAntimeridian) {
  EXPECT_NEAR(ground_distance({179.99, -17}, {-179.99, -17}),
              ground_distance({0, -17}, {0.02, -17}), 1e-6);
  EXPECT_NEAR(ground_distance({180, 10}, {-180, 10}), 0, 1e-9);
}

}  // namespace
}  // namespace tsmini
