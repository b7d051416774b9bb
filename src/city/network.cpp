#include "city/network.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "city/streets.h"

namespace tsmini::city {

namespace {

constexpr std::uint64_t streets_stream = 0;  // trips use the streams from 1 on

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

// Drops everything that the largest connected part cannot reach.
void keep_connected(Roads& roads) {
  const std::size_t count = roads.nodes.size();
  std::vector<std::uint32_t> parent(count), size(count, 0), renamed(count, 0);
  std::iota(parent.begin(), parent.end(), 0u);
  for (const Edge& edge : roads.edges) parent[root_of(parent, edge.a)] = root_of(parent, edge.b);
  for (std::uint32_t node = 0; node < count; ++node) ++size[root_of(parent, node)];
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());

  Roads kept;
  for (std::uint32_t node = 0; node < count; ++node) {
    if (root_of(parent, node) != largest) continue;
    renamed[node] = static_cast<std::uint32_t>(kept.nodes.size());
    kept.nodes.push_back(roads.nodes[node]);
  }
  for (const Edge& edge : roads.edges) {
    if (root_of(parent, edge.a) != largest) continue;
    kept.edges.push_back({renamed[edge.a], renamed[edge.b], edge.road, edge.bridge});
  }
  roads = std::move(kept);
}

void index_arcs(Network& network) {
  network.first_arc.assign(network.nodes.size() + 1, 0);
  for (const Edge& edge : network.edges) {
    ++network.first_arc[edge.a + 1];
    ++network.first_arc[edge.b + 1];
  }
  std::partial_sum(network.first_arc.begin(), network.first_arc.end(), network.first_arc.begin());
  network.arcs.resize(2 * network.edges.size());
  std::vector<std::uint32_t> next = network.first_arc;
  for (std::uint32_t i = 0; i < network.edges.size(); ++i) {
    const Edge& edge = network.edges[i];
    network.arcs[next[edge.a]++] = {edge.b, i};
    network.arcs[next[edge.b]++] = {edge.a, i};
  }
}

// Traffic lights stand where arterials meet other roads.
std::vector<bool> place_lights(const Network& network, Random& random) {
  constexpr double arterial_chance = 0.55, street_chance = 0.12;
  std::vector<bool> lights(network.nodes.size());
  for (std::uint32_t node = 0; node < network.nodes.size(); ++node) {
    bool on_arterial = false, on_motorway = false;
    for (const Arc& arc : network.arcs_of(node)) {
      on_arterial = on_arterial || network.edges[arc.edge].road == Road::arterial;
      on_motorway = on_motorway || network.edges[arc.edge].road == Road::motorway;
    }
    const bool junction = network.arcs_of(node).size() > 2 && !on_motorway;
    lights[node] = random.chance(on_arterial ? arterial_chance : street_chance) && junction;
  }
  return lights;
}

}  // namespace

Network build_network(std::uint64_t seed) {
  Random random(seed, streets_stream);
  Network network;
  network.terrain = draw_terrain(random);
  Roads roads = draw_main_roads(network.terrain, random);
  add_streets(network.terrain, random, roads);
  keep_connected(roads);
  network.nodes = std::move(roads.nodes);
  network.edges = std::move(roads.edges);
  for (const Edge& edge : network.edges) {
    network.length.push_back(distance(network.nodes[edge.a], network.nodes[edge.b]));
  }
  index_arcs(network);
  network.has_lights = place_lights(network, random);
  return network;
}

}  // namespace tsmini::city
