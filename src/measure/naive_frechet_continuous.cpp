// The Fréchet distance of polylines by bisection over Alt and Godau's decision procedure, in its
// plainest form: every cell of the free-space diagram, every step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/naive.h"

namespace tsmini {
namespace {

// A stretch of a segment's parameter; empty where low > high.
struct FreeInterval {
  double low = 1, high = 0;
  bool empty() const { return low > high; }
};

// The part of the segment s e within epsilon of c.
FreeInterval free_interval(const Planar& c, const Planar& s, const Planar& e, double epsilon) {
  const double ex = e.x - s.x, ey = e.y - s.y, fx = c.x - s.x, fy = c.y - s.y;
  const double square = ex * ex + ey * ey;
  if (square == 0)
    return fx * fx + fy * fy <= epsilon * epsilon ? FreeInterval{0, 1} : FreeInterval{};
  const double foot = (fx * ex + fy * ey) / square;
  const double cross = fx * ey - fy * ex;
  const double half = epsilon * epsilon - cross * cross / square;
  if (half < 0) return {};
  const double reach = std::sqrt(half / square);
  return {std::max(0.0, foot - reach), std::min(1.0, foot + reach)};
}

// What can be entered of `free` on the side opposite to `from`: from there or beyond.
FreeInterval onward(const FreeInterval& free, const FreeInterval& from) {
  if (from.empty()) return {};
  return {std::max(free.low, from.low), free.high};
}

bool within(Polyline p, Polyline q, double epsilon) {
  const std::size_t rows = p.size() - 1, columns = q.size() - 1;
  if (point_distance(p.front(), q.front()) > epsilon) return false;
  if (point_distance(p.back(), q.back()) > epsilon) return false;
  // below[j]: what is reachable of segment j of q at vertex i of p; beside: of segment i of p at
  // vertex j of q.
  std::vector<FreeInterval> below(columns);
  bool open = true;
  for (std::size_t j = 0; j < columns && open; ++j) {
    below[j] = free_interval(p[0], q[j], q[j + 1], epsilon);
    if (below[j].low > 0) below[j] = {};
    open = !below[j].empty() && below[j].high >= 1;
  }
  bool side_open = true;
  FreeInterval beside;
  for (std::size_t i = 0; i < rows; ++i) {
    FreeInterval first = free_interval(q[0], p[i], p[i + 1], epsilon);
    beside = side_open && first.low <= 0 ? first : FreeInterval{};
    side_open = !beside.empty() && beside.high >= 1;
    for (std::size_t j = 0; j < columns; ++j) {
      const FreeInterval above = free_interval(p[i + 1], q[j], q[j + 1], epsilon);
      const FreeInterval right = free_interval(q[j + 1], p[i], p[i + 1], epsilon);
      const FreeInterval entered_below = below[j], entered_beside = beside;
      below[j] = !entered_beside.empty() ? above : onward(above, entered_below);
      beside = !entered_below.empty() ? right : onward(right, entered_beside);
    }
  }
  return !below.back().empty() && below.back().high >= 1;
}

}  // namespace

double naive_frechet_continuous(Polyline p, Polyline q) {
  const Heartbeat none;
  Pulse pulse(none);
  if (p.size() == 1 || q.size() == 1) return naive_frechet(p, q, pulse);
  double low = std::max(point_distance(p.front(), q.front()), point_distance(p.back(), q.back()));
  if (within(p, q, low)) return low;
  double high = naive_frechet(p, q, pulse);
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (within(p, q, middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace tsmini
