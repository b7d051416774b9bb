#include "geo/local_transverse_mercator.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geo/transverse_mercator.h"

namespace tsmini {
namespace {

// The full formula rounds at some ten million metres from the equator: 2e-9 each.
constexpr double tolerance = 1e-8;

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
