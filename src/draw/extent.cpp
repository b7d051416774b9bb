#include "draw/extent.h"

#include <algorithm>
#include <cstddef>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace tsmini {
namespace {

double turned(double lon) {
  return lon < 0 ? lon + 360 : lon;
}

}  // namespace

void Extent::Range::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

void Extent::add(const Position& p) {
  if (empty_) {
    empty_ = false;
    lon_ = {p.lon, p.lon};
    turned_ = {turned(p.lon), turned(p.lon)};
    lat_ = {p.lat, p.lat};
    return;
  }
  lon_.add(p.lon);
  turned_.add(turned(p.lon));
  lat_.add(p.lat);
}

void Extent::add(const Box& box) {
  add(Position{box.min_lon, box.min_lat});
  add(Position{box.max_lon, box.max_lat});
  if (box.min_lon < 0 && box.max_lon >= 0) {
    turned_.add(0);
    turned_.add(360);
  }
}

void Extent::add(const Dataset& data, const Heartbeat& heartbeat) {
  if (data.point_count() == 0) return;
  const DatasetInfo& info = data.info();
  const double around = info.extent.max_lon - info.extent.min_lon;
  if (info.coordinates == Coordinates::planar || around <= 180) return add(info.extent);
  const auto points = data.points();
  merge(tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, points.size(), std::size_t{1} << 16), Extent(),
      [&](const auto& range, Extent extent) {
        heartbeat.beat();
        for (std::size_t i = range.begin(); i < range.end(); ++i) extent.add(points[i]);
        return extent;
      },
      [](Extent a, const Extent& b) {
        a.merge(b);
        return a;
      }));
}

void Extent::merge(const Extent& other) {
  if (other.empty_) return;
  if (empty_) {
    *this = other;
    return;
  }
  for (const double lon : {other.lon_.low, other.lon_.high}) lon_.add(lon);
  for (const double lon : {other.turned_.low, other.turned_.high}) turned_.add(lon);
  for (const double lat : {other.lat_.low, other.lat_.high}) lat_.add(lat);
}

std::optional<Box> Extent::box(Coordinates coordinates) const {
  if (empty_) return std::nullopt;
  const bool turn = coordinates == Coordinates::degrees && lon_.length() > 180 &&
                    turned_.length() < lon_.length();
  const Range& lon = turn ? turned_ : lon_;
  return Box{lon.low, lat_.low, lon.high, lat_.high};
}

}  // namespace tsmini
