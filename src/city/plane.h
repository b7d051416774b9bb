// Plane geometry of the synthetic city, in metres, and its way to degrees.
//
// The plane's origin is the city's main square; x points east and y north. Everything here uses
// only + - * / and sqrt, which IEEE 754 rounds exactly: the same digits on every machine.
// For the same reason no expression draws two random numbers in an order left to the compiler.
//
//   Position p = to_position({250, -40});   // 250 m east and 40 m south of the square
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tsmini/trajectory.h"

#include "base/random.h"

namespace tsmini::city {

struct Point {
  double x = 0;  // metres east
  double y = 0;  // metres north

  friend bool operator==(const Point&, const Point&) = default;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double k, Point a) { return {k * a.x, k * a.y}; }
};

inline double dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}
inline double cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}
inline double norm(Point a) {
  return std::sqrt(dot(a, a));
}
inline double distance(Point a, Point b) {
  return norm(a - b);
}
inline Point between(Point a, Point b, double share) {
  return a + share * (b - a);
}
inline Point left_of(Point a) {
  return {-a.y, a.x};
}

// Streets lie within these half extents; points of trips within `margin` more.
inline constexpr double half_width = 7000;   // metres, west to east
inline constexpr double half_height = 8000;  // metres, south to north
inline constexpr double margin = 250;        // metres

inline bool inside_city(Point p) {
  return p.x >= -half_width && p.x <= half_width && p.y >= -half_height && p.y <= half_height;
}

// The place on the globe is fictional; the scale is that of WGS84 at its latitude.
inline constexpr Position origin{10.0, 45.0};
inline constexpr double metres_per_degree_lon = 78846.8;
inline constexpr double metres_per_degree_lat = 111131.8;

// Rounded to 6 decimals, as receivers report.
inline Position to_position(Point p) {
  const auto rounded = [](double degrees) { return std::floor(degrees * 1e6 + 0.5) / 1e6; };
  return {rounded(origin.lon + p.x / metres_per_degree_lon),
          rounded(origin.lat + p.y / metres_per_degree_lat)};
}

// The unit vector `turn` of the way around, counter-clockwise from east, for turn in [0, 1). Exact
// at quarters, a few degrees off between them: good enough to scatter things around a square.
inline Point direction(double turn) {
  const double quarter = std::floor(turn * 4), t = turn * 4 - quarter;
  Point p{(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)};
  for (int k = 0; k < static_cast<int>(quarter); ++k) p = left_of(p);
  return p;
}

// In a random direction, `nearest` to `farthest` metres away.
inline Point random_offset(double nearest, double farthest, Random& random) {
  const double metres = random.uniform(nearest, farthest);
  return metres * direction(random.uniform());
}

inline double distance_to_segment(Point p, Point a, Point b) {
  const Point ab = b - a;
  const double share = std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0);
  return distance(p, a + share * ab);
}

// Where along ab, as a share, it meets cd; nothing where they miss each other or are parallel.
inline std::optional<double> crossing(Point a, Point b, Point c, Point d) {
  if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
    return std::nullopt;
  }
  const Point ab = b - a, cd = d - c;
  const double area = cross(ab, cd);
  if (area == 0) return std::nullopt;
  const double along_ab = cross(c - a, cd) / area, along_cd = cross(c - a, ab) / area;
  if (along_ab < 0 || along_ab > 1 || along_cd < 0 || along_cd > 1) return std::nullopt;
  return along_ab;
}

// A smooth curve (Catmull-Rom) through all control points, as points about `step` metres apart.
// A closed curve ends where it began.
inline std::vector<Point> smooth_curve(const std::vector<Point>& control, double step,
                                       bool closed = false) {
  const std::size_t n = control.size(), spans = closed ? n : n - 1;
  const auto at = [&](std::size_t i) {
    return closed ? control[i % n] : control[std::min(i, n - 1)];
  };
  std::vector<Point> curve;
  for (std::size_t i = 0; i < spans; ++i) {
    const Point before = i > 0 ? control[i - 1] : closed ? control[n - 1] : control[0];
    const Point from = at(i), to = at(i + 1), after = at(i + 2);
    const double pieces = std::max(1.0, std::floor(distance(from, to) / step + 0.5));
    for (double k = 0; k < pieces; ++k) {
      const double t = k / pieces;
      const Point c1 = 0.5 * (to - before);
      const Point c2 = before - 2.5 * from + 2.0 * to - 0.5 * after;
      const Point c3 = 0.5 * (after - before) + 1.5 * (from - to);
      curve.push_back(from + t * (c1 + t * (c2 + t * c3)));
    }
  }
  curve.push_back(closed ? control.front() : control.back());
  return curve;
}

}  // namespace tsmini::city
