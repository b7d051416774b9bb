// The city's street network: a connected graph of junctions and straight, two-way edges.
//
// Built once per seed in well under a second; some 3,700 nodes and 6,100 edges. Read-only
// afterwards, so any number of threads may use it at once.
//
//   Network network = build_network(1);
//   for (const Arc& arc : network.arcs_of(node)) visit(arc.to, network.length[arc.edge]);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "city/plane.h"
#include "city/roads.h"
#include "city/terrain.h"

namespace tsmini::city {

// Free-flow speed in metres per second: 119, 56, 28 and 18 km/h.
constexpr double speed_of(Road road) {
  constexpr std::array<double, 4> speeds{33, 15.5, 7.8, 5};
  return speeds[static_cast<std::size_t>(road)];
}

struct Arc {
  std::uint32_t to = 0;  // node
  std::uint32_t edge = 0;
};

struct Network {
  Terrain terrain;
  std::vector<Point> nodes;
  std::vector<bool> has_lights;  // per node: traffic lights
  std::vector<Edge> edges;
  std::vector<double> length;            // per edge: metres
  std::vector<Arc> arcs;                 // grouped by the node they leave
  std::vector<std::uint32_t> first_arc;  // per node, and one past the end

  std::span<const Arc> arcs_of(std::uint32_t node) const {
    return {arcs.data() + first_arc[node], arcs.data() + first_arc[node + 1]};
  }
};

Network build_network(std::uint64_t seed);

}  // namespace tsmini::city
