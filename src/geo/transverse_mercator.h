// Transverse Mercator on the WGS84 ellipsoid: metres east of a central meridian and north of the
// equator.
//
// Krüger's series in the third flattening n, to the sixth order, as C. Karney gives it ("Transverse
// Mercator with an accuracy of a few nanometers", J. Geodesy 85, 2011): exact to nanometres within
// some 35° of the central meridian. The scale is 1 on the central meridian (UTM has 0.9996) and
// grows by x² / 2R² away from it: 0.01 % at 90 km, 0.12 % at 310 km.
//
//   Planar p = transverse_mercator(-8.61, {-8.60, 41.15});      // {839.4, 4557231.6}
//   Position q = position_from_transverse_mercator(-8.61, p);   // within a nanometre or two
//
// Longitudes count the shorter way around, so the antimeridian is no border. The projection is
// singular on the equator 90° from the central meridian; positions within 6° of there, which no
// sensible data has, are moved aside so that every position has a finite image.
#pragma once

#include "tsmini/trajectory.h"

namespace tsmini {

Planar transverse_mercator(double central_meridian, const Position& position);
Position position_from_transverse_mercator(double central_meridian, const Planar& point);

}  // namespace tsmini
