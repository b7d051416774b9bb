// Boxes on the grid as tests make and read them, and how far they are apart in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/random.h"
#include "measure/box_kernels.h"
#include "measure/grid.h"

namespace tsmini {

struct PlainBox {
  double low_x, low_y, high_x, high_y;
};

inline PlainBox plain(const GridBox& box) {
  return {static_cast<double>(box.low & 0xffffu), static_cast<double>(box.low >> 16),
          static_cast<double>(box.high & 0xffffu), static_cast<double>(box.high >> 16)};
}

inline PlainBox plain(const GridBoxes& boxes, std::size_t lane) {
  return plain(GridBox{boxes.low[lane], boxes.high[lane]});
}

inline double apart(const PlainBox& a, const PlainBox& b) {
  const auto gap = [](double low_a, double high_a, double low_b, double high_b) {
    return std::max({low_a - high_b, low_b - high_a, 0.0});
  };
  return std::hypot(gap(a.low_x, a.high_x, b.low_x, b.high_x),
                    gap(a.low_y, a.high_y, b.low_y, b.high_y));
}

inline double apart(const PlainBox& box, double x, double y) {
  return apart(box, {x, y, x, y});
}

inline GridBox grid_box(std::uint32_t low_x, std::uint32_t low_y, std::uint32_t high_x,
                        std::uint32_t high_y) {
  return {low_x | low_y << 16, high_x | high_y << 16};
}

// Within `side` of the corner: small sides make boxes that overlap and touch, 32767 is the grid.
inline GridBox random_box(Random& random, std::uint32_t side) {
  const auto interval = [&](std::uint32_t& low, std::uint32_t& high) {
    low = static_cast<std::uint32_t>(random.below(side + 1));
    high = static_cast<std::uint32_t>(random.below(side + 1));
    if (low > high) std::swap(low, high);
    if (random.chance(0.7)) high = std::min(side, low + 1);
  };
  std::uint32_t low_x, low_y, high_x, high_y;
  interval(low_x, high_x);
  interval(low_y, high_y);
  return grid_box(low_x, low_y, high_x, high_y);
}

// Roots are approximate: at most 1.5 · 2^-12 above the truth, and 1.8e-3 below it (the emulation
// for processors without). Sums add some roundings.
inline constexpr double root_above = 3.7e-4 + 1e-5, root_below = 1.8e-3;

}  // namespace tsmini
