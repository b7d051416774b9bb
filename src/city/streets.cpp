#include "city/streets.h"

#include "city/point_grid.h"

namespace tsmini::city {

namespace {

constexpr double longest_street = 900;          // metres
constexpr double most_blocks = 3.5;             // a street's length, in block sizes
constexpr std::uint32_t interchange_every = 6;  // nodes of a motorway
constexpr double skeleton_beta = 1.75;          // 1: Gabriel graph; 2: relative-neighbour graph
constexpr double underpass_chance = 0.4;        // that a street meeting a motorway passes under it

class Grower {
 public:
  Grower(const Terrain& terrain, Random& random, Roads& roads)
      : terrain_(terrain), random_(random), roads_(roads), main_edges_(roads.edges.size()) {
    std::vector<bool> joinable(roads.nodes.size(), false);
    std::vector<int> degree(roads.nodes.size(), 0);
    for (const Edge& edge : roads.edges) {
      for (const std::uint32_t node : {edge.a, edge.b}) {
        ++degree[node];
        if (edge.road != Road::motorway || node % interchange_every == 0) joinable[node] = true;
      }
    }
    for (std::uint32_t node = 0; node < roads.nodes.size(); ++node) {
      occupied_.add(roads.nodes[node], node);
      if (joinable[node] || degree[node] == 1) junctions_.add(roads.nodes[node], node);
    }
  }

  void scatter_grid() {
    constexpr double clearance = 0.45;       // of a block, from main roads' nodes
    constexpr double missing_chance = 0.05;  // larger blocks here and there
    const Quarter& quarter = terrain_.quarter;
    const Point u = quarter.axis, v = left_of(u);
    for (double y = -quarter.half_size.y; y <= quarter.half_size.y; y += quarter.block.y) {
      for (double x = -quarter.half_size.x; x <= quarter.half_size.x; x += quarter.block.x) {
        const Point p = quarter.centre + x * u + y * v;
        if (random_.chance(missing_chance) || !is_free(p, clearance * quarter.block.y)) continue;
        add_junction(p);
      }
    }
  }

  void scatter_freely() {
    constexpr int darts = 400'000;
    const double smallest = terrain_.block_size({});
    for (int k = 0; k < darts; ++k) {
      const Point p{random_.uniform(-half_width, half_width),
                    random_.uniform(-half_height, half_height)};
      const double size = terrain_.block_size(p);
      const double density = (smallest / size) * (smallest / size);
      if (random_.chance(density) && is_free(p, size)) add_junction(p);
    }
  }

  void join() {
    for (std::uint32_t a = 0; a < roads_.nodes.size(); ++a) {
      const Point p = roads_.nodes[a];
      std::vector<std::uint32_t> partners;
      bool joinable = false;
      const double reach = std::min(longest_street, most_blocks * terrain_.block_size(p));
      junctions_.for_each_near(p, reach, [&](std::uint32_t b, Point) {
        joinable = joinable || a == b;
        if (b > a) partners.push_back(b);
      });
      if (!joinable) continue;
      for (const std::uint32_t b : partners) {
        const Point q = roads_.nodes[b];
        if (!is_neighbour(a, b) || terrain_.crosses_river(p, q) || meets_main_road(a, b)) continue;
        const bool old = Terrain::is_old_town(between(p, q, 0.5));
        roads_.edges.push_back({a, b, old ? Road::lane : Road::street, false});
      }
    }
  }

 private:
  bool is_free(Point p, double clearance) const {
    return inside_city(p) && !occupied_.any_near(p, clearance) && terrain_.is_built(p);
  }

  void add_junction(Point p) {
    const auto node = static_cast<std::uint32_t>(roads_.nodes.size());
    roads_.nodes.push_back(p);
    occupied_.add(p, node);
    junctions_.add(p, node);
  }

  // Whether the lune of a and b holds no other junction.
  bool is_neighbour(std::uint32_t a, std::uint32_t b) const {
    const Point p = roads_.nodes[a], q = roads_.nodes[b];
    const double radius = skeleton_beta / 2 * distance(p, q);
    const Point near_p = between(p, q, 1 - skeleton_beta / 2);
    const Point near_q = between(p, q, skeleton_beta / 2);
    bool empty = true;
    junctions_.for_each_near(between(p, q, 0.5), distance(p, q), [&](std::uint32_t c, Point r) {
      const bool within = distance(r, near_p) < radius && distance(r, near_q) < radius;
      if (c != a && c != b && within) empty = false;
    });
    return empty;
  }

  bool meets_main_road(std::uint32_t a, std::uint32_t b) {
    bool meets_motorway = false;
    for (std::size_t i = 0; i < main_edges_; ++i) {
      const Edge& edge = roads_.edges[i];
      const bool shares_a = edge.a == a || edge.b == a, shares_b = edge.a == b || edge.b == b;
      if (shares_a && shares_b) return true;
      if (shares_a || shares_b) continue;
      if (!crossing(roads_.nodes[a], roads_.nodes[b], roads_.nodes[edge.a], roads_.nodes[edge.b])) {
        continue;
      }
      if (edge.road != Road::motorway) return true;
      meets_motorway = true;
    }
    return meets_motorway && !random_.chance(underpass_chance);
  }

  const Terrain& terrain_;
  Random& random_;
  Roads& roads_;
  std::size_t main_edges_;
  PointGrid occupied_;   // every node
  PointGrid junctions_;  // those that streets may join
};

}  // namespace

void add_streets(const Terrain& terrain, Random& random, Roads& roads) {
  Grower grower(terrain, random, roads);
  grower.scatter_grid();
  grower.scatter_freely();
  grower.join();
}

}  // namespace tsmini::city
