// A grid of 2^15 × 2^15 places over the extent of a base: boxes of 8 bytes.
//
// What lies outside is moved to the edge, which brings no two points farther apart.
//
//   const Grid grid(base.origin(), largest_coordinate(base));
//   const GridBox box = grid.box(base[0]);
#pragma once

#include <cstdint>
#include <span>

#include "tsmini/planar_set.h"

namespace tsmini {

// Corners on the grid: x in the lower 16 bits, y in the upper.
struct GridBox {
  std::uint32_t low = 0, high = 0;
};

class Grid {
 public:
  // A grid over all that is no farther than `extent` from the origin in either axis.
  Grid(const Planar& origin, double extent);

  double unit() const { return unit_; }
  bool holds(const Planar& p) const;
  // The point in units, within the grid.
  Planar place(const Planar& p) const;
  // The box around the points, at least 1/256 of a unit larger on every side that is not the grid's
  // edge.
  GridBox box(std::span<const Planar> points) const;

 private:
  Planar low_;
  double unit_;
};

}  // namespace tsmini
