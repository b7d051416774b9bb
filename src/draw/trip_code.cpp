#include "draw/trip_code.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "geo/wgs84.h"

namespace tsmini {
namespace {

using Cell = TripGrid::Cell;

void append_step(std::string& out, std::int64_t step) {
  append_coded(out, step < 0 ? 2 * static_cast<std::uint64_t>(-step) - 1
                             : 2 * static_cast<std::uint64_t>(step));
}

double planar_quantum(const Box& extent) {
  const double length = std::max(extent.max_lon - extent.min_lon, extent.max_lat - extent.min_lat);
  const double largest = std::max(std::abs(extent.max_lon), std::abs(extent.max_lat));
  const double least = std::max(1e-7 * length, 1e-12 * largest);
  return least > 0 ? std::pow(10.0, std::floor(std::log10(least))) : 1;
}

}  // namespace

void append_coded(std::string& out, std::uint64_t number) {
  for (; number > 127; number >>= 7) out += static_cast<char>(number | 128);
  out += static_cast<char>(number);
}

TripGrid::TripGrid(const Box& extent, Coordinates coordinates)
    : origin_{std::midpoint(extent.min_lon, extent.max_lon),
              std::midpoint(extent.min_lat, extent.max_lat)},
      quantum_(coordinates == Coordinates::degrees ? 1e-6 : planar_quantum(extent)),
      degrees_(coordinates == Coordinates::degrees) {}

Cell TripGrid::cell_of(const Position& p) const {
  const double east = degrees_ ? wrapped_degrees(p.lon - origin_.lon) : p.lon - origin_.lon;
  return {std::llround(east / quantum_), std::llround((p.lat - origin_.lat) / quantum_)};
}

void TripCode::add(std::span<const Position> points, std::int64_t least_move) {
  std::vector<Cell> kept{grid_.cell_of(points.front())};
  Cell last = kept.front();
  for (const Position& p : points.subspan(1)) {
    last = grid_.cell_of(p);
    const std::int64_t move =
        std::max(std::abs(last.x - kept.back().x), std::abs(last.y - kept.back().y));
    if (move > least_move) kept.push_back(last);
  }
  if (kept.back() != last) kept.push_back(last);
  append_coded(bytes_, kept.size());
  for (const Cell& cell : kept) {
    append_step(bytes_, cell.x - last_.x);
    append_step(bytes_, cell.y - last_.y);
    last_ = cell;
  }
}

}  // namespace tsmini
