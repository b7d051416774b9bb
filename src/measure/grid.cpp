#include "measure/grid.h"

#include <algorithm>
#include <cmath>

namespace tsmini {
namespace {

constexpr double grid_end = 32767;

std::uint32_t packed(double x, double y) {
  const auto clamped = [](double v) {
    return static_cast<std::uint32_t>(std::clamp(v, 0.0, grid_end));
  };
  return clamped(x) | clamped(y) << 16;
}

}  // namespace

// The factor keeps the base off the upper edges; none of it lies beyond the lower.
Grid::Grid(const Planar& origin, double extent)
    : low_{origin.x - extent, origin.y - extent},
      unit_(extent > 0 ? 2.0001 * extent / grid_end : 1) {}

bool Grid::holds(const Planar& p) const {
  const auto inside = [&](double v) { return v >= 0 && v <= grid_end * unit_; };
  return inside(p.x - low_.x) && inside(p.y - low_.y);
}

Planar Grid::place(const Planar& p) const {
  return {std::clamp((p.x - low_.x) / unit_, 0.0, grid_end),
          std::clamp((p.y - low_.y) / unit_, 0.0, grid_end)};
}

GridBox Grid::box(std::span<const Planar> points) const {
  PlanarBox box;
  for (const Planar& p : points) box.add(place(p));
  constexpr double margin = 1.0 / 256;
  return {packed(std::floor(box.low.x - margin), std::floor(box.low.y - margin)),
          packed(std::ceil(box.high.x + margin), std::ceil(box.high.y + margin))};
}

}  // namespace tsmini
