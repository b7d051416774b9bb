// EDwP as docs/measures.md defines it, with four liberties that change nothing but roundings and
// that the vector kernel takes too, so that both give the same digits in double precision. A cell
// keeps the value before its last piece (V - Δ) instead of Δ. It keeps what is left of the segments
// beyond the cuts, as length and direction, instead of the cuts: a projection is then a product
// clamped to that length, without a division. A clamped cut leaves exactly nothing. And the
// division by Λ is done once, at the end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "measure/naive.h"

namespace tsmini {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

// The rest of a segment, from one of its points to its end.
struct Rest {
  double length = 0;
  Planar direction;  // of length 1, or 0
};

struct Cell {
  double value = unreached;   // V
  double before = unreached;  // V - Δ
  double ab = 0;              // |a b|
  Rest ap;                    // from a to p_i
  Rest bq;                    // from b to q_j
};

// Where a point falls on a segment.
struct Cut {
  double first = 0;  // length of the part of the segment before the cut
  Rest second;       // and what is after it
  double off = 0;    // from the point to the cut
};

Planar between(const Planar& from, const Planar& to) {
  return {to.x - from.x, to.y - from.y};
}

Rest rest_of(const Planar& vector, double length) {
  if (length == 0) return {};
  return {length, {vector.x / length, vector.y / length}};
}

// Projects on `rest` the point from which it is `to_end`, of the given length, to the end. Where
// the rest has no length, the cut is the point itself.
Cut project(const Rest& rest, const Planar& to_end, double distance) {
  if (rest.length == 0) {
    const double inverse = distance > 0 ? 1 / distance : 0;
    return {distance, {distance, {to_end.x * inverse, to_end.y * inverse}}, 0};
  }
  const Planar& u = rest.direction;
  const double along = to_end.x * u.x + to_end.y * u.y;
  const double across = to_end.x * u.y - to_end.y * u.x;
  const double second = std::min(std::max(along, 0.0), rest.length);
  const double over = along - second;
  return {rest.length - second, {second, u}, std::sqrt(over * over + across * across)};
}

std::vector<Rest> segments_of(Polyline p) {
  std::vector<Rest> segments(1);
  for (std::size_t i = 1; i < p.size(); ++i) {
    segments.push_back(rest_of(between(p[i - 1], p[i]), point_distance(p[i - 1], p[i])));
  }
  return segments;
}

double sum_of(const std::vector<Rest>& segments) {
  double sum = 0;
  for (const Rest& segment : segments) sum += segment.length;
  return sum;
}

}  // namespace

double naive_edwp(Polyline p, Polyline q, Pulse& pulse) {
  const std::vector<Rest> p_segments = segments_of(p), q_segments = segments_of(q);
  const double total = sum_of(p_segments) + sum_of(q_segments);
  if (total == 0) return 0;
  std::vector<Cell> row(q.size());
  row[0].value = 0;
  for (std::size_t i = 1; i < p.size(); ++i) {
    const Rest& p_segment = p_segments[i];
    double diagonal_value = row[0].value;
    row[0] = Cell{};
    for (std::size_t j = 1; j < q.size(); ++j) {
      const Rest& q_segment = q_segments[j];
      const Cell up = row[j];
      const Cell& left = row[j - 1];
      const double here = point_distance(p[i], q[j]);

      const double corner = point_distance(p[i - 1], q[j - 1]);
      const double diagonal =
          diagonal_value + (corner + here) * (p_segment.length + q_segment.length);

      const Cut x = project(up.bq, between(p[i - 1], q[j]), point_distance(p[i - 1], q[j]));
      const double row_before = up.before + (up.ab + x.off) * (up.ap.length + x.first);
      const double row_value = row_before + (x.off + here) * (p_segment.length + x.second.length);

      const Cut y = project(left.ap, between(q[j - 1], p[i]), point_distance(p[i], q[j - 1]));
      const double column_before = left.before + (left.ab + y.off) * (left.bq.length + y.first);
      const double column_value =
          column_before + (y.off + here) * (q_segment.length + y.second.length);

      const double before_value = diagonal_value;
      diagonal_value = up.value;
      if (diagonal <= column_value && diagonal <= row_value) {
        row[j] = {diagonal, before_value, corner, p_segment, q_segment};
      } else if (column_value < row_value || (column_value == row_value && q.size() > p.size())) {
        row[j] = {column_value, column_before, y.off, y.second, q_segment};
      } else {
        row[j] = {row_value, row_before, x.off, p_segment, x.second};
      }
    }
    pulse.work(q.size());
  }
  return row.back().value / total;
}

}  // namespace tsmini
