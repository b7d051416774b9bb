// The data contract, fixed once for the whole project.
//
// - A position is (lon, lat) in WGS84 degrees, in that order, as float64; in a *planar* data set it
//   is (x, y) in whatever unit the user has. Positions are always finite.
// - A time is int64 unix seconds. Times are optional; where present there is one per point and they
//   never decrease.
// - A trajectory is a *view*: it owns nothing and is as cheap to copy as a pair of pointers. It
//   stays valid as long as the data set it came from.
// - Ids are UTF-8 strings. A data set may hold the same id twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tsmini {

struct Position {
  double lon = 0;  // or x
  double lat = 0;  // or y

  friend bool operator==(const Position&, const Position&) = default;
};

// A point of a space (tsmini/space.h), in its unit.
struct Planar {
  double x = 0;
  double y = 0;
};

// A rectangle, borders included. For degrees it never crosses the antimeridian, but where a
// function says so (tsmini/map.h): max_lon is then beyond 180.
struct Box {
  double min_lon = 0, min_lat = 0, max_lon = 0, max_lat = 0;

  bool contains(const Position& p) const {
    return p.lon >= min_lon && p.lon <= max_lon && p.lat >= min_lat && p.lat <= max_lat;
  }

  // Contains nothing until something is added.
  static constexpr Box empty() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {infinity, infinity, -infinity, -infinity};
  }
  void add(const Position& p) {
    min_lon = std::min(min_lon, p.lon);
    min_lat = std::min(min_lat, p.lat);
    max_lon = std::max(max_lon, p.lon);
    max_lat = std::max(max_lat, p.lat);
  }

  friend bool operator==(const Box&, const Box&) = default;
};

// A rectangle in a plane; empty until something is added.
struct PlanarBox {
  Planar low = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Planar high = {-std::numeric_limits<double>::infinity(),
                 -std::numeric_limits<double>::infinity()};

  void add(const Planar& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  void add(const PlanarBox& other) {
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y)};
  }

  double width() const { return high.x - low.x; }
  double height() const { return high.y - low.y; }
  bool contains(const Planar& p) const {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
  }
};

struct Trajectory {
  std::string_view id;
  std::span<const Position> points;
  std::span<const std::int64_t> times;  // empty where the trajectory has none

  std::size_t size() const { return points.size(); }
  bool has_times() const { return !times.empty(); }
};

}  // namespace tsmini
