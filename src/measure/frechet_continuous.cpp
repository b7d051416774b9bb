#include "measure/frechet_continuous.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tsmini {
namespace {

// A stretch of a segment's parameter; empty where low > high.
struct Interval {
  double low = 1, high = 0;
  bool empty() const { return low > high; }
};

struct Segment {
  Planar start;
  double ex = 0, ey = 0;
  double inverse = 0;  // of the squared length; 0 where it is a point
};

void segments_of(Polyline p, std::vector<Segment>& segments) {
  segments.resize(p.size() - 1);
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    const double ex = p[i + 1].x - p[i].x, ey = p[i + 1].y - p[i].y;
    const double square = ex * ex + ey * ey;
    segments[i] = {p[i], ex, ey, square > 0 ? 1 / square : 0};
  }
}

// The part of a segment within the root of `square` of c.
Interval free_interval(const Planar& c, const Segment& s, double square) {
  const double fx = c.x - s.start.x, fy = c.y - s.start.y;
  if (s.inverse == 0) return fx * fx + fy * fy <= square ? Interval{0, 1} : Interval{};
  const double cross = fx * s.ey - fy * s.ex;
  const double half = square - cross * cross * s.inverse;
  if (half < 0) return {};
  const double foot = (fx * s.ex + fy * s.ey) * s.inverse;
  const double reach = std::sqrt(half * s.inverse);
  return {std::max(0.0, foot - reach), std::min(1.0, foot + reach)};
}

class FreeSpace {
 public:
  FreeSpace(Polyline p, Polyline q) : p_(p), q_(q) {
    segments_of(p, p_segments_);
    segments_of(q, q_segments_);
  }

  // A path that never goes back leads from the first points to the last, never farther apart than
  // epsilon.
  bool within(double epsilon);

 private:
  Polyline p_, q_;
  std::vector<Segment> p_segments_, q_segments_;
  std::vector<Interval> below_;  // of each segment of q, at the current vertex of p: what is reached
};

bool FreeSpace::within(double epsilon) {
  const double square = epsilon * epsilon;
  const std::size_t columns = q_segments_.size();
  if (squared_distance(p_.front(), q_.front()) > square) return false;
  if (squared_distance(p_.back(), q_.back()) > square) return false;
  below_.assign(columns, Interval{});
  std::size_t begin = 0, end = 0;  // columns outside have nothing in below_
  for (bool open = true; open && end < columns; ++end) {
    below_[end] = free_interval(p_.front(), q_segments_[end], square);
    open = below_[end].high >= 1;
  }
  bool border_open = true;
  for (std::size_t i = 0; i < p_segments_.size(); ++i) {
    Interval beside;
    if (border_open) {
      beside = free_interval(q_.front(), p_segments_[i], square);
      border_open = beside.high >= 1;
      begin = 0;
    }
    std::size_t next_begin = columns, next_end = 0;
    for (std::size_t j = begin; j < columns && (j < end || !beside.empty()); ++j) {
      const Interval entered = below_[j];
      below_[j] = {};
      if (entered.empty() && beside.empty()) continue;
      Interval above = free_interval(p_[i + 1], q_segments_[j], square);
      Interval right = free_interval(q_[j + 1], p_segments_[i], square);
      if (beside.empty()) above.low = std::max(above.low, entered.low);
      if (entered.empty()) right.low = std::max(right.low, beside.low);
      beside = right;
      if (above.empty()) continue;
      below_[j] = above;
      next_begin = std::min(next_begin, j);
      next_end = j + 1;
    }
    begin = next_begin;
    end = next_end;
    if (begin >= end && !border_open) {
      return i + 1 == p_segments_.size() && !beside.empty() && beside.high >= 1;
    }
  }
  return !below_.back().empty() && below_.back().high >= 1;
}

// The least leash of a path that may enter each boundary of a cell anywhere; see segment.cpp.
double lower_bound_of(Polyline p, Polyline q) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> in(q.size(), infinity);
  for (std::size_t i = 0; i < p.size(); ++i) {
    double left = i == 0 ? 0 : infinity;
    for (std::size_t j = 0; j < q.size(); ++j) {
      const Planar& p_next = p[std::min(i + 1, p.size() - 1)];
      const Planar& q_next = q[std::min(j + 1, q.size() - 1)];
      left = in[j] = std::min(std::max(segment_distance(p[i], q[j], q_next), in[j]),
                              std::max(segment_distance(q[j], p[i], p_next), left));
    }
  }
  return std::max(in.back(), point_distance(p.front(), q.front()));
}

}  // namespace

double frechet_continuous(Polyline p, Polyline q, double lower) {
  if (p.size() == 1 || q.size() == 1) return naive_frechet(p, q);
  if (lower == 0) lower = lower_bound_of(p, q);
  if (lower == 0) return 0;
  constexpr double slack = 2e-10;  // for roundings where the distance is exactly a bound
  FreeSpace space(p, q);
  if (space.within(lower * (1 + slack))) return lower;
  double low = lower, step = 1.0 / 64;
  double high = lower * (1 + step);
  while (!space.within(high)) {
    low = high;
    step *= 2;
    high = lower * (1 + step);
  }
  while (high - low > slack * high) {
    const double middle = low + (high - low) / 2;
    (space.within(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace tsmini
