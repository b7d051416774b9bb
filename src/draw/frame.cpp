#include "draw/frame.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tsmini/error.h"

#include "geo/wgs84.h"

namespace tsmini {
namespace {

constexpr double margin = 0.04;
constexpr double lowest = 0.4, highest = 1.4;  // height over width
constexpr double least_metres = 100;           // of a frame, where all points are equal
constexpr double least_share = 1e-6;           // the same for planar data, of its coordinates
constexpr double farthest_pixel = 1e9;

}  // namespace

Frame::Frame(const Box& box, Coordinates coordinates, int width)
    : asked_(box), degrees_(coordinates == Coordinates::degrees), width_(width) {
  centre_ = {std::midpoint(box.min_lon, box.max_lon), std::midpoint(box.min_lat, box.max_lat)};

  DegreeLength unit{1, 1};
  double least = std::max(std::abs(centre_.lon), std::abs(centre_.lat)) * least_share;
  if (degrees_) {
    unit = degree_length_at(std::clamp(centre_.lat, -85.0, 85.0));
    least = least_metres;
  }
  const double room = 1 + 2 * margin;
  double wide = std::max((box.max_lon - box.min_lon) * unit.lon * room, least);
  double high = std::max((box.max_lat - box.min_lat) * unit.lat * room, least);
  if (wide == 0 && high == 0) wide = high = 1;
  if (!std::isfinite(wide) || !std::isfinite(high)) {
    throw Error(ErrorCode::bad_input, "the coordinates are too large to be drawn",
                "give them in a larger unit");
  }
  const double ratio = wide > 0 ? std::clamp(high / wide, lowest, highest) : highest;
  height_ = static_cast<int>(std::lround(width_ * ratio));
  length_per_pixel_ = std::max(wide / width_, high / height_);
  pixels_per_lon_ = unit.lon / length_per_pixel_;
  pixels_per_lat_ = unit.lat / length_per_pixel_;
}

Frame Frame::resized(int width) const {
  return {asked_, degrees_ ? Coordinates::degrees : Coordinates::planar, width};
}

Pixel Frame::pixel_of(const Position& position) const {
  const double east =
      degrees_ ? wrapped_degrees(position.lon - centre_.lon) : position.lon - centre_.lon;
  const double north = position.lat - centre_.lat;
  return {std::clamp(width_ / 2.0 + east * pixels_per_lon_, -farthest_pixel, farthest_pixel),
          std::clamp(height_ / 2.0 - north * pixels_per_lat_, -farthest_pixel, farthest_pixel)};
}

DegreeLength Frame::unit() const {
  return {pixels_per_lon_ * length_per_pixel_, pixels_per_lat_ * length_per_pixel_};
}

Box Frame::box() const {
  const double half_lon = width_ / 2.0 / pixels_per_lon_;
  const double half_lat = height_ / 2.0 / pixels_per_lat_;
  return {centre_.lon - half_lon, centre_.lat - half_lat, centre_.lon + half_lon,
          centre_.lat + half_lat};
}

}  // namespace tsmini
