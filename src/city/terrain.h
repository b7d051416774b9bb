// The ground the city stands on: the river, the parks, the towns around it, and how densely built
// each place is.
//
// Drawn once per seed. All lengths are metres.
//
//   Terrain terrain = draw_terrain(random);
//   if (!terrain.is_wet(p)) build(p, terrain.block_size(p));
#pragma once

#include <vector>

#include "base/random.h"
#include "city/plane.h"

namespace tsmini::city {

struct Disc {
  Point centre;
  double radius = 0;

  bool contains(Point p) const { return distance(p, centre) <= radius; }
};

// A quarter of parallel streets: crossings every (block.x, block.y) metres along turned axes.
struct Quarter {
  Point centre, axis;  // axis: unit vector along the long side
  Point half_size, block;
};

struct Terrain {
  std::vector<Point> river;  // its middle, from beyond the western edge to beyond the eastern one
  double river_half_width = 0;
  std::vector<Disc> parks;
  std::vector<Point> towns;  // one per radial road, around the city
  Point airport;             // at the end of a motorway
  Quarter quarter;

  bool is_wet(Point p) const;    // in the river or on its very bank
  bool is_built(Point p) const;  // neither water nor park
  static bool is_old_town(Point p);
  bool crosses_river(Point a, Point b) const;  // the river's middle
  double block_size(Point p) const;            // typical distance between junctions
};

Terrain draw_terrain(Random& random);

}  // namespace tsmini::city
