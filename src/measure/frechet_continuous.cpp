#include "measure/frechet_continuous.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
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

Planar point_at(const Segment& s, double t) {
  return {s.start.x + t * s.ex, s.start.y + t * s.ey};
}

// The part of a segment within the root of `square` of c.
Interval free_interval(const Planar& c, const Segment& s, double square) {
  const double fx = c.x - s.start.x, fy = c.y - s.start.y;
  if (s.inverse == 0) return fx * fx + fy * fy <= square ? Interval{0, 1} : Interval{};
  const double cross = fx * s.ey - fy * s.ex;
  const double half = square - cross * (cross * s.inverse);  // the square of cross may overflow
  if (half < 0) return {};
  const double foot = (fx * s.ex + fy * s.ey) * s.inverse;
  const double reach = std::sqrt(half * s.inverse);
  return {std::max(0.0, foot - reach), std::min(1.0, foot + reach)};
}

// The squared leash at which the segment's part near c opens.
double opening(const Planar& c, const Segment& s) {
  const double along = ((c.x - s.start.x) * s.ex + (c.y - s.start.y) * s.ey) * s.inverse;
  return squared_distance(c, point_at(s, std::clamp(along, 0.0, 1.0)));
}

// The squared leash at which the part near c reaches on to where that near `from` begins: the two
// are equally far from the point of the segment where both meet.
double meeting(const Planar& from, const Planar& c, const Segment& s) {
  const double dx = c.x - from.x, dy = c.y - from.y;
  const double along = dx * s.ex + dy * s.ey;
  if (along == 0) return opening(c, s);
  const double mx = (c.x + from.x) / 2 - s.start.x, my = (c.y + from.y) / 2 - s.start.y;
  return squared_distance(c, point_at(s, (mx * dx + my * dy) / along));
}

// What is reached of a boundary, and the vertex that says from where on.
struct Reach : Interval {
  Planar from;
};

class FreeSpace {
 public:
  FreeSpace(Polyline p, Polyline q, Pulse& pulse) : p_(p), q_(q), pulse_(pulse) {
    segments_of(p, p_segments_);
    segments_of(q, q_segments_);
  }

  // Whether a path that never goes back leads from the first points to the last, never farther
  // apart than epsilon. If not, next() is the least leash at which anything more can be reached.
  bool within(double epsilon);
  double next() const { return std::sqrt(next_square_); }

  // Whether such a path is found by going ahead along the diagonal and turning back at dead ends,
  // in at most four steps a segment of either polyline. A few per cent of the work of within();
  // false says nothing.
  bool obviously_within(double epsilon);

 private:
  // Whether the ends of a segment are near a vertex. What is known of a vertex counts, wherever the
  // roundings of free_interval() put it.
  struct Ends {
    bool first = false, last = false;
  };
  Interval near_part(const Planar& c, const Segment& s, const Ends& near) const;
  // The reach of the boundary between the vertex c and the segment, entered from the boundary
  // opposite (`before`) or, where `anywhere`, also from the side.
  Reach reach(const Planar& c, const Segment& s, const Ends& near, const Reach& before,
              bool anywhere);
  bool is_near(const Planar& a, const Planar& b) const { return squared_distance(a, b) <= square_; }
  // Which vertices of q are near that of p.
  void mark_near(const Planar& c, std::vector<std::uint8_t>& near) const;
  void blocked(double square) { next_square_ = std::min(next_square_, square); }

  Polyline p_, q_;
  Pulse& pulse_;
  std::vector<Segment> p_segments_, q_segments_;
  std::vector<Reach> below_;  // of each segment of q, at the current vertex of p
  std::vector<std::uint8_t> near_,
      near_next_;  // of each vertex of q: to this vertex of p, the next
  double square_ = 0;
  double next_square_ = 0;
};

void FreeSpace::mark_near(const Planar& c, std::vector<std::uint8_t>& near) const {
  near.resize(q_.size());
  for (std::size_t j = 0; j < q_.size(); ++j) near[j] = squared_distance(c, q_[j]) <= square_;
}

Interval FreeSpace::near_part(const Planar& c, const Segment& s, const Ends& near) const {
  if (near.first && near.last) return {0, 1};
  Interval part = free_interval(c, s, square_);
  if (near.first) part = {0, std::max(part.high, 0.0)};
  if (near.last) part = {std::min(part.low, 1.0), 1};
  return part;
}

Reach FreeSpace::reach(const Planar& c, const Segment& s, const Ends& near, const Reach& before,
                       bool anywhere) {
  Reach reach{near_part(c, s, near), c};
  if (reach.empty()) {
    blocked(opening(c, s));
  } else if (!anywhere && before.low > reach.low) {
    reach.low = before.low;
    reach.from = before.from;
    if (reach.empty()) {
      // Where the two vertices are as good as one, their meeting is rounding and nothing else. But
      // half the gap more of leash closes it, since both parts grow by at least as much.
      const double gap = (reach.low - reach.high) / std::sqrt(s.inverse);
      const double enough = std::sqrt(square_) + gap / 2;
      blocked(std::min(meeting(before.from, c, s), enough * enough));
    }
  }
  return reach;
}

bool FreeSpace::within(double epsilon) {
  square_ = epsilon * epsilon;
  next_square_ = std::numeric_limits<double>::infinity();
  const std::size_t columns = q_segments_.size();
  const double ends =
      std::max(squared_distance(p_.front(), q_.front()), squared_distance(p_.back(), q_.back()));
  if (ends > square_) {
    blocked(ends);
    return false;
  }
  below_.assign(columns, Reach{});
  std::size_t begin = 0, end = 0;  // columns outside have nothing in below_
  for (bool open = true; open && end < columns; ++end) {
    open = is_near(p_.front(), q_[end + 1]);
    below_[end] = reach(p_.front(), q_segments_[end], {true, open}, {}, true);
    if (!open) blocked(squared_distance(p_.front(), q_[end + 1]));
  }
  bool border_open = true;
  Reach beside;
  mark_near(p_.front(), near_next_);
  for (std::size_t i = 0; i < p_segments_.size() && (border_open || begin < end); ++i) {
    std::swap(near_, near_next_);
    mark_near(p_[i + 1], near_next_);
    beside = {};
    if (border_open) {
      border_open = is_near(q_.front(), p_[i + 1]);
      beside = reach(q_.front(), p_segments_[i], {true, border_open}, {}, true);
      if (!border_open) blocked(squared_distance(q_.front(), p_[i + 1]));
      begin = 0;
    }
    std::size_t next_begin = columns, next_end = 0;
    for (std::size_t j = begin; j < columns && (j < end || !beside.empty()); ++j) {
      const Reach entered = below_[j];
      below_[j] = {};
      if (entered.empty() && beside.empty()) continue;
      const Reach above =
          reach(p_[i + 1], q_segments_[j], {near_next_[j] != 0, near_next_[j + 1] != 0}, entered,
                !beside.empty());
      beside = reach(q_[j + 1], p_segments_[i], {near_[j + 1] != 0, near_next_[j + 1] != 0}, beside,
                     !entered.empty());
      if (above.empty()) continue;
      below_[j] = above;
      next_begin = std::min(next_begin, j);
      next_end = j + 1;
    }
    begin = next_begin;
    end = next_end;
    pulse_.work(columns);
  }
  // The last points are near: what is reached of the last boundary goes on to there.
  return begin < end && !below_.back().empty();
}

bool FreeSpace::obviously_within(double epsilon) {
  square_ = epsilon * epsilon;
  const std::size_t rows = p_segments_.size(), columns = q_segments_.size();
  if (squared_distance(p_.front(), q_.front()) > square_) return false;
  if (squared_distance(p_.back(), q_.back()) > square_) return false;
  struct Entry {
    std::size_t i = 0, j = 0;
    bool from_below = true, from_beside = true;
    Reach reach;
  };
  std::vector<Entry> open{Entry{}};
  for (std::size_t steps = 4 * (rows + columns); steps > 0 && !open.empty(); --steps) {
    const Entry at = open.back();
    open.pop_back();
    if (at.i + 1 == rows && at.j + 1 == columns) return true;
    Entry up{at.i + 1, at.j, true, false, {}}, right{at.i, at.j + 1, false, true, {}};
    if (up.i < rows) {
      up.reach = reach(p_[up.i], q_segments_[at.j], {}, at.reach, at.from_beside);
    }
    if (right.j < columns) {
      right.reach = reach(q_[right.j], p_segments_[at.i], {}, at.reach, at.from_below);
    }
    const bool up_first = at.i * columns < at.j * rows;
    for (const Entry& entry : {up_first ? right : up, up_first ? up : right}) {
      if (!entry.reach.empty()) open.push_back(entry);
    }
  }
  return false;
}

// The least leash of a path that may enter each boundary of a cell anywhere; see segment.cpp.
double lower_bound_of(Polyline p, Polyline q, Pulse& pulse) {
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
    pulse.work(q.size());
  }
  return std::max(in.back(), point_distance(p.front(), q.front()));
}

// By how much a point on a segment may differ from its place there.
double rounding_of(Polyline p, Polyline q) {
  double largest = 0;
  for (const Polyline points : {p, q}) {
    for (const Planar& c : points) largest = std::max({largest, std::abs(c.x), std::abs(c.y)});
  }
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace

double frechet_continuous(Polyline p, Polyline q, Pulse& pulse, double lower) {
  if (p.size() == 1 || q.size() == 1) return naive_frechet(p, q, pulse);
  // Between equal polylines the search below may find a rounding in place of 0.
  const auto equal = [](const Planar& a, const Planar& b) { return a.x == b.x && a.y == b.y; };
  if (std::equal(p.begin(), p.end(), q.begin(), q.end(), equal)) return 0;
  if (lower == 0) lower = lower_bound_of(p, q, pulse);
  constexpr double slack = 2e-10;  // for roundings where the distance is exactly a bound
  FreeSpace space(p, q, pulse);
  if (lower == 0) {
    // One lies on the other, which says nothing yet of turns: there and back along a line is 0 from
    // each of its points to the other, and half the way back from the path.
    const double rounding = rounding_of(p, q);
    if (space.within(rounding)) return 0;
    lower = std::max(rounding, space.next());
  }
  double low = lower, high = std::numeric_limits<double>::infinity();
  double step = 1.0 / 64;
  if (space.obviously_within(low * (1 + slack))) return low;
  for (;;) {
    // Tries the bound, then halfway to what is known to be enough, or beyond the bound while
    // nothing is.
    if (space.within(low * (1 + slack))) return low;
    low = std::max(low * (1 + slack), space.next());
    if (low >= high * (1 - slack)) return high;
    const bool open = std::isinf(high);
    const double middle = open ? low * (1 + step) : low + (high - low) / 2;
    step *= 2;
    if (space.within(middle)) {
      high = middle;
    } else {
      low = std::max(middle, space.next());
    }
    if (low >= high * (1 - slack)) return high;
  }
}

}  // namespace tsmini
