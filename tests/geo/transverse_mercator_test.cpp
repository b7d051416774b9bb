#include "geo/transverse_mercator.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "geo/mercator.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

// Simpson's rule over the meridian's radius of curvature: nothing in common with the series.
double meridian_arc(double latitude) {
  constexpr int steps = 2000;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * degree_length_at(latitude * i / steps).lat;
  }
  return sum * latitude / steps / 3;
}

TEST(TransverseMercator, AgreesWithPublishedUtm) {
  // GeographicLib's manual: 33.3 N 44.4 E is 38n 444140.54 3684706.36; zone 38 is centred on 45 E.
  const Planar p = transverse_mercator(45, {44.4, 33.3});
  EXPECT_NEAR(p.x * 0.9996 + 500000, 444140.54, 0.005);
  EXPECT_NEAR(p.y * 0.9996, 3684706.36, 0.005);
}

TEST(TransverseMercator, AgreesWithExactValues) {
  // The complex meridian arc, integrated numerically to 40 digits.
  struct Case {
    double lat, lon, x, y;
  };
  for (const Case& c :
       {Case{33.3, -0.6, -55881.807804696229, 3686180.8278809294},
        Case{41.15, 1, 83944.73411097032, 4557713.6669547221},
        Case{84, 5, 58301.401857360242, 9334358.1459750403},
        Case{-80, -5, -96851.795492163171, -8889304.4295059184}, Case{0, 5, 557310.04407878758, 0},
        Case{10, 3, 329060.36020276871, 1107351.7949611269},
        Case{60, -2.5, -139477.8796114839, 6656708.707259376},
        Case{45, 0, 0, 4984944.3779777435}}) {
    const Planar p = transverse_mercator(20, {20 + c.lon, c.lat});
    EXPECT_NEAR(p.x, c.x, 2e-8) << c.lat << ' ' << c.lon;
    EXPECT_NEAR(p.y, c.y, 2e-8) << c.lat << ' ' << c.lon;
  }
}

TEST(TransverseMercator, NorthingsAreMeridianArcs) {
  EXPECT_NEAR(transverse_mercator(0, {0, 90}).y, 10001965.7293, 1e-4);
  for (const double lat : {-80.0, -33.3, 1.0, 41.15, 89.0}) {
    EXPECT_NEAR(transverse_mercator(7, {7, lat}).y, meridian_arc(lat), 1e-6) << lat;
  }
}

TEST(TransverseMercator, ReturnsToWhereItCameFrom) {
  double worst_degrees = 0;
  double worst_metres = 0;
  for (double lat = -80; lat <= 84; lat += 0.5) {
    for (double lon = -5; lon <= 5; lon += 0.125) {
      const Position p{-8.61 + lon, lat};
      const Planar image = transverse_mercator(-8.61, p);
      const Position back = position_from_transverse_mercator(-8.61, image);
      const Planar again = transverse_mercator(-8.61, back);
      worst_degrees =
          std::max({worst_degrees, std::abs(back.lon - p.lon), std::abs(back.lat - p.lat)});
      worst_metres = std::max(worst_metres, std::hypot(again.x - image.x, again.y - image.y));
    }
  }
  EXPECT_LT(worst_degrees, 1e-12);
  EXPECT_LT(worst_metres, 2e-8);
}

TEST(TransverseMercator, ScaleErrorIsAHundredthOfAPercentAt90Km) {
  for (const double lat : {-70.0, -41.0, 0.0, 20.0, 41.15, 60.0}) {
    const DegreeLength degree = degree_length_at(lat);
    for (const double km : {0.0, 30.0, 90.0}) {
      const double lon = km * 1000 / degree.lon;
      const Planar p = transverse_mercator(0, {lon, lat});
      const double step = 1e-4;
      const Planar east = transverse_mercator(0, {lon + step, lat});
      const Planar north = transverse_mercator(0, {lon, lat + step});
      const double scale_east = std::hypot(east.x - p.x, east.y - p.y) / (step * degree.lon);
      const double scale_north =
          std::hypot(north.x - p.x, north.y - p.y) / (step * degree_length_at(lat + step / 2).lat);
      EXPECT_NEAR(scale_east, 1, 1.005e-4) << lat << ' ' << km;
      EXPECT_NEAR(scale_north, 1, 1.005e-4) << lat << ' ' << km;
    }
  }
}

TEST(TransverseMercator, CrossesTheAntimeridian) {
  const Planar east = transverse_mercator(179.5, {-179.5, -17});
  const Planar plain = transverse_mercator(9.5, {10.5, -17});
  EXPECT_NEAR(east.x, plain.x, 1e-8);
  EXPECT_NEAR(east.y, plain.y, 1e-8);
  EXPECT_NEAR(position_from_transverse_mercator(179.5, east).lon, -179.5, 1e-12);
}

TEST(TransverseMercator, IsFiniteEverywhere) {
  for (double lat = -90; lat <= 90; lat += 1) {
    for (double lon = -180; lon <= 180; lon += 1) {
      const Planar p = transverse_mercator(0, {lon, lat});
      ASSERT_LT(std::hypot(p.x, p.y), 3e7) << lon << ' ' << lat;
    }
  }
}

TEST(Mercator, AgreesWithPublishedValues) {
  EXPECT_DOUBLE_EQ(mercator_from({180, 0}).x, 20037508.342789244);
  // Web maps are square because they end here.
  EXPECT_NEAR(mercator_from({0, 85.051128779806604}).y, 20037508.342789244, 1e-6);
  // EPSG guidance note 7-2, Popular Visualisation Pseudo-Mercator: 24°22'54.433"N 100°20'W.
  const Planar p = mercator_from({-(100 + 20.0 / 60), 24 + 22 / 60.0 + 54.433 / 3600});
  EXPECT_NEAR(p.x, -11169055.58, 0.01);
  EXPECT_NEAR(p.y, 2800000.00, 0.01);
}

TEST(Mercator, ReturnsToWhereItCameFrom) {
  for (double lat = -85; lat <= 85; lat += 2.5) {
    for (double lon = -180; lon <= 180; lon += 7.5) {
      const Position back = position_from_mercator(mercator_from({lon, lat}));
      EXPECT_NEAR(back.lon, lon, 1e-12);
      EXPECT_NEAR(back.lat, lat, 1e-12);
    }
  }
  EXPECT_TRUE(std::isfinite(mercator_from({0, 90}).y));
  EXPECT_TRUE(std::isfinite(mercator_from({0, -90}).y));
}

}  // namespace
}  // namespace tsmini
