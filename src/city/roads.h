// The main roads: a motorway ring with spurs, radial arterials, a boulevard and avenues.
//
// They are drawn as smooth curves and then cut where they cross, so that crossings become junctions
// (a motorway's are its interchanges). Only motorways and the radials of towns beyond the river may
// cross it; each such crossing is one straight edge, a bridge.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "city/plane.h"
#include "city/terrain.h"

namespace tsmini::city {

enum class Road : std::uint8_t { motorway, arterial, street, lane };

struct Edge {
  std::uint32_t a = 0, b = 0;  // nodes; traffic runs both ways
  Road road = Road::street;
  bool bridge = false;
};

struct Roads {
  std::vector<Point> nodes;
  std::vector<Edge> edges;
};

Roads draw_main_roads(const Terrain& terrain, Random& random);

}  // namespace tsmini::city
