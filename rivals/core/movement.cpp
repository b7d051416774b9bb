#include "rivals/core/movement.h"

#include <cmath>
#include <numbers>

namespace tsmini::rivals {

using std::numbers::pi;

double mean_segment(const Planar& before, const Planar& at, const Planar& after) {
  return (std::hypot(at.x - before.x, at.y - before.y) +
          std::hypot(after.x - at.x, after.y - at.y)) /
         2;
}

double turning_term(const Planar& before, const Planar& at, const Planar& after) {
  const double back = std::atan2(before.x - at.x, before.y - at.y);
  const double on = std::atan2(after.x - at.x, after.y - at.y);
  return 1 - std::abs(pi - back + on) / pi;
}

double turn(const Planar& before, const Planar& at, const Planar& after) {
  const double ax = at.x - before.x, ay = at.y - before.y;
  const double bx = after.x - at.x, by = after.y - at.y;
  return std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) / pi;
}

}  // namespace tsmini::rivals
