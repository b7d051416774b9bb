#include "city/roads.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "city/point_grid.h"

namespace tsmini::city {

namespace {

constexpr double motorway_step = 260, arterial_step = 130;  // metres between nodes
constexpr double longest_bridge = 1000;                     // metres
constexpr double same_node = 30;  // metres: nodes nearer than this are one

struct Curve {
  std::vector<Point> points;
  Road road;
  bool may_bridge;
};

// Points around an uneven oval, wider than it is high.
std::vector<Point> oval(Point centre, double radius, int corners, Random& random) {
  std::vector<Point> control;
  for (int k = 0; k < corners; ++k) {
    const double reach = random.uniform(0.87, 1.13) * radius;
    const Point out = reach * direction((k + random.uniform(-0.25, 0.25) + 0.5) / corners);
    control.push_back(centre + Point{1.1 * out.x, 0.92 * out.y});
  }
  return control;
}

void add_motorways(const Terrain& terrain, Random& random, std::vector<Curve>& curves) {
  constexpr int corners = 12;
  constexpr double radius = 3500;
  const Point centre{random.uniform(-500, 500), random.uniform(-350, 50)};
  const std::vector<Point> ring = oval(centre, radius, corners, random);
  curves.push_back({smooth_curve(ring, motorway_step, true), Road::motorway, true});
  constexpr std::size_t northern_corner = 3;
  for (const std::size_t corner :
       {std::size_t{0}, northern_corner, std::size_t{5}, std::size_t{8}}) {
    const Point from = ring[corner];
    const Point to =
        corner == northern_corner ? terrain.airport : (2 * half_width / norm(from)) * from;
    const Point sideways = random.uniform(-0.12, 0.12) * left_of(to - from);
    const std::vector<Point> control{from, between(from, to, 0.3) + sideways,
                                     between(from, to, 0.7) - sideways, to};
    curves.push_back({smooth_curve(control, motorway_step), Road::motorway, false});
  }
}

void add_radials(const Terrain& terrain, Random& random, std::vector<Curve>& curves) {
  for (const Point& town : terrain.towns) {
    const Point bend = 0.12 * left_of(town);
    const auto along = [&](double share) {
      return share * town + random.uniform(-1, 1) * (1 - share) * bend;
    };
    std::vector<Point> control;
    for (const double share : {0.07, 0.28, 0.5, 0.75}) control.push_back(along(share));
    control.push_back(town);
    const Point beyond = random.uniform(1.25, 1.5) * town;
    control.push_back(beyond + random.uniform(-1, 1) * bend);
    const bool beyond_river = terrain.crosses_river({}, town);
    curves.push_back({smooth_curve(control, arterial_step), Road::arterial, beyond_river});
  }
}

// A boulevard around the old town, avenues across the city, and roads from town to town.
void add_avenues(Random& random, std::vector<Curve>& curves) {
  constexpr double boulevard_radius = 850;
  const std::vector<Point> boulevard = oval({}, boulevard_radius, 8, random);
  curves.push_back({smooth_curve(boulevard, arterial_step, true), Road::arterial, false});

  constexpr int avenues = 8;
  for (int k = 0; k < avenues; ++k) {
    const Point along = direction((k + random.uniform()) / (2 * avenues));
    const Point middle = random.uniform(700, 2400) * (k % 2 == 0 ? 1.0 : -1.0) * left_of(along);
    const double before = random.uniform(1200, 2800), after = random.uniform(1200, 2800);
    const Point bend = random.uniform(-350, 350) * left_of(along);
    curves.push_back({smooth_curve({middle - before * along, middle + bend, middle + after * along},
                                   arterial_step),
                      Road::arterial, false});
  }

  constexpr std::ptrdiff_t arc_corners = 6;
  for (const double radius : {4500.0, 5200.0, 5900.0}) {
    const std::vector<Point> circle = oval({}, radius, 14, random);
    const auto first = circle.begin() + static_cast<std::ptrdiff_t>(random.below(8));
    curves.push_back(
        {smooth_curve({first, first + arc_corners}, arterial_step), Road::arterial, false});
  }
}

class Planter {
 public:
  explicit Planter(const Terrain& terrain) : terrain_(terrain) {}

  void plant(const Curve& curve) {
    bool joined = false;
    std::uint32_t last = 0;
    for (const Point& p : curve.points) {
      if (!inside_city(p) || terrain_.is_wet(p)) {
        joined = joined && curve.may_bridge && inside_city(p);
        continue;
      }
      const std::uint32_t node = node_at(p);
      if (joined && node != last && distance(p, roads_.nodes[last]) < longest_bridge) {
        roads_.edges.push_back({last, node, curve.road, false});
      }
      last = node;
      joined = true;
    }
  }

  // Cuts edges where they cross, and marks the bridges.
  Roads finish() {
    const std::size_t count = roads_.edges.size();
    std::vector<std::vector<std::pair<double, std::uint32_t>>> cuts(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) cut(i, j, cuts);
    }
    std::vector<Edge> pieces;
    for (std::size_t i = 0; i < count; ++i) {
      const Edge edge = roads_.edges[i];
      cuts[i].emplace_back(2.0, edge.b);
      std::sort(cuts[i].begin(), cuts[i].end());
      std::uint32_t from = edge.a;
      for (const auto& [share, to] : cuts[i]) {
        if (to != from)
          pieces.push_back({std::min(from, to), std::max(from, to), edge.road, false});
        from = to;
      }
    }
    const auto order = [](const Edge& e, const Edge& f) {
      return std::tie(e.a, e.b, e.road) < std::tie(f.a, f.b, f.road);
    };
    const auto same = [](const Edge& e, const Edge& f) { return e.a == f.a && e.b == f.b; };
    std::sort(pieces.begin(), pieces.end(), order);
    pieces.erase(std::unique(pieces.begin(), pieces.end(), same), pieces.end());
    for (Edge& edge : pieces) {
      edge.bridge = terrain_.crosses_river(roads_.nodes[edge.a], roads_.nodes[edge.b]);
    }
    roads_.edges = std::move(pieces);
    return std::move(roads_);
  }

 private:
  std::uint32_t node_at(Point p) {
    std::uint32_t nearest = 0;
    double best = same_node;
    grid_.for_each_near(p, same_node, [&](std::uint32_t node, Point q) {
      if (distance(p, q) < best) {
        best = distance(p, q);
        nearest = node;
      }
    });
    if (best < same_node) return nearest;
    const auto node = static_cast<std::uint32_t>(roads_.nodes.size());
    roads_.nodes.push_back(p);
    grid_.add(p, node);
    return node;
  }

  void cut(std::size_t i, std::size_t j,
           std::vector<std::vector<std::pair<double, std::uint32_t>>>& cuts) {
    const Edge e = roads_.edges[i], f = roads_.edges[j];
    if (e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b) return;
    const Point a = roads_.nodes[e.a], b = roads_.nodes[e.b];
    const Point c = roads_.nodes[f.a], d = roads_.nodes[f.b];
    const auto along_e = crossing(a, b, c, d);
    const auto along_f = crossing(c, d, a, b);
    if (!along_e || !along_f) return;
    const Point meeting = between(a, b, *along_e);
    if (terrain_.is_wet(meeting)) return;
    const std::uint32_t node = node_at(meeting);
    cuts[i].emplace_back(*along_e, node);
    cuts[j].emplace_back(*along_f, node);
  }

  const Terrain& terrain_;
  Roads roads_;
  PointGrid grid_;
};

}  // namespace

Roads draw_main_roads(const Terrain& terrain, Random& random) {
  std::vector<Curve> curves;
  add_motorways(terrain, random, curves);
  add_radials(terrain, random, curves);
  add_avenues(random, curves);
  Planter planter(terrain);
  for (const Curve& curve : curves) planter.plant(curve);
  return planter.finish();
}

}  // namespace tsmini::city
