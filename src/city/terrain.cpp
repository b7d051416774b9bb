#include "city/terrain.h"

#include <algorithm>
#include <cmath>

namespace tsmini::city {

namespace {

constexpr double river_course = -1950;  // its mean y
constexpr double river_meander = 420;   // most it strays from that
constexpr double bank = 35;
constexpr double old_town_radius = 850;
constexpr int park_count = 16;

std::vector<Point> draw_river(Random& random) {
  std::vector<Point> control;
  constexpr double reach = half_width + 1000, stride = 1600;
  for (double x = -reach; x <= reach; x += stride) {
    control.push_back({x, river_course + river_meander * random.uniform(-1, 1)});
  }
  return smooth_curve(control, 150);
}

// Away from the river and from each other; those beyond the river lie where bridges are short.
std::vector<Point> draw_towns(Random& random) {
  constexpr int tries = 2000;
  constexpr std::size_t most = 12;
  constexpr double apart = 2300, nearest = 4200, farthest = 7200;  // metres
  constexpr double same_way = 0.93;  // cosine: towns seen nearer to each other share a road
  std::vector<Point> towns;
  for (int k = 0; k < tries && towns.size() < most; ++k) {
    const Point p{random.uniform(-0.9, 0.9) * half_width, random.uniform(-0.9, 0.9) * half_height};
    const bool beyond_river = p.y < river_course;
    if (norm(p) < nearest || norm(p) > farthest) continue;
    if (std::abs(p.y - river_course) < river_meander + 350) continue;
    if (beyond_river && std::abs(p.x) > 0.8 * std::abs(p.y)) continue;
    const bool crowded = std::any_of(towns.begin(), towns.end(), [&](Point q) {
      return distance(p, q) < apart || dot(p, q) > same_way * norm(p) * norm(q);
    });
    if (!crowded) towns.push_back(p);
  }
  return towns;
}

}  // namespace

bool Terrain::is_wet(Point p) const {
  const double reach = river_half_width + bank;
  for (std::size_t i = 1; i < river.size(); ++i) {
    if (distance_to_segment(p, river[i - 1], river[i]) < reach) return true;
  }
  return false;
}

bool Terrain::is_built(Point p) const {
  for (const Disc& park : parks) {
    if (park.contains(p)) return false;
  }
  return !is_wet(p);
}

bool Terrain::is_old_town(Point p) {
  return norm(p) < old_town_radius;
}

bool Terrain::crosses_river(Point a, Point b) const {
  for (std::size_t i = 1; i < river.size(); ++i) {
    if (crossing(a, b, river[i - 1], river[i])) return true;
  }
  return false;
}

double Terrain::block_size(Point p) const {
  constexpr double centre_block = 70, centre_growth = 0.021;  // metres, and metres per metre
  constexpr double suburbs_from = 3300, suburbs_growth = 0.1;
  constexpr double town_block = 110, town_growth = 0.11;
  constexpr double largest = 520;
  const double from_centre = norm(p);
  double size = centre_block + centre_growth * from_centre +
                suburbs_growth * std::max(0.0, from_centre - suburbs_from);
  for (const Point& town : towns)
    size = std::min(size, town_block + town_growth * distance(p, town));
  return std::min(size, largest);
}

Terrain draw_terrain(Random& random) {
  Terrain terrain;
  terrain.river = draw_river(random);
  terrain.river_half_width = random.uniform(90, 130);
  terrain.towns = draw_towns(random);
  terrain.airport = {random.uniform(-2600, 400), random.uniform(7000, 7500)};
  for (int k = 0; k < park_count; ++k) {
    const Point centre = random_offset(1200, 7000, random);
    terrain.parks.push_back({centre, random.uniform(130, 230) + 0.05 * norm(centre)});
  }
  const Point towards = direction(random.uniform(0.05, 0.45));
  terrain.quarter.centre = 2050.0 * towards;
  terrain.quarter.axis = direction(random.uniform());
  terrain.quarter.half_size = {random.uniform(950, 1100), random.uniform(750, 900)};
  terrain.quarter.block = {random.uniform(140, 165), random.uniform(105, 120)};
  return terrain;
}

}  // namespace tsmini::city
