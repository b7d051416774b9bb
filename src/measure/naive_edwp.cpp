// EDwP as docs/measures.md defines it, with three liberties that change nothing but roundings and
// that the vector kernel takes too, so that both give the same digits in double precision: a cell
// keeps the value before its last piece (V - Δ) instead of Δ; the parts of a segment cut at t are t
// and 1 - t of its length; and the division by Λ is done once, at the end.
#include <algorithm>
#include <limits>
#include <vector>

#include "measure/naive.h"

namespace tsmini {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Cell {
  double value = infinity;   // V
  double before = infinity;  // V - Δ
  Planar a, b;               // the last cuts on P and Q
  double ab = 0;             // |a b|
  double ap = 0;             // |a p_i|
  double bq = 0;             // |b q_j|
};

// Where a point falls on a segment.
struct Cut {
  Planar at;
  double first = 0, second = 0;  // lengths of the parts of the segment
  double off = 0;                // from the point to the cut
};

// Projects x on the segment s e of the given length. Clamped, it is the end itself, bit for bit;
// where the segment is a point, it is x.
Cut project(const Planar& s, const Planar& e, double length, const Planar& x) {
  const double ex = e.x - s.x, ey = e.y - s.y;
  const double fx = x.x - s.x, fy = x.y - s.y;
  const double dot = fx * ex + fy * ey;
  const double square = ex * ex + ey * ey;
  if (square == 0) {
    const double distance = point_distance(x, e);
    return {x, distance, distance, 0};
  }
  const double t = std::clamp(dot / square, 0.0, 1.0);
  const Planar at = dot >= square ? e : Planar{s.x + t * ex, s.y + t * ey};
  return {at, t * length, length - t * length, point_distance(x, at)};
}

std::vector<double> segment_lengths(Polyline p) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < p.size(); ++i) lengths.push_back(point_distance(p[i - 1], p[i]));
  return lengths;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

double naive_edwp(Polyline p, Polyline q) {
  const std::vector<double> p_lengths = segment_lengths(p), q_lengths = segment_lengths(q);
  const double total = sum_of(p_lengths) + sum_of(q_lengths);
  if (total == 0) return 0;
  std::vector<Cell> row(q.size());
  row[0].value = 0;
  for (std::size_t i = 1; i < p.size(); ++i) {
    const double p_length = p_lengths[i - 1];
    double diagonal_value = row[0].value;
    row[0] = Cell{};
    for (std::size_t j = 1; j < q.size(); ++j) {
      const double q_length = q_lengths[j - 1];
      const Cell up = row[j];
      const Cell& left = row[j - 1];
      const double here = point_distance(p[i], q[j]);

      const double corner = point_distance(p[i - 1], q[j - 1]);
      const double diagonal = diagonal_value + (corner + here) * (p_length + q_length);

      const Cut x = project(up.b, q[j], up.bq, p[i - 1]);
      const double row_before = up.before + (up.ab + x.off) * (up.ap + x.first);
      const double row_value = row_before + (x.off + here) * (p_length + x.second);

      const Cut y = project(left.a, p[i], left.ap, q[j - 1]);
      const double column_before = left.before + (left.ab + y.off) * (left.bq + y.first);
      const double column_value = column_before + (y.off + here) * (q_length + y.second);

      const double before_value = diagonal_value;
      diagonal_value = up.value;
      if (diagonal <= column_value && diagonal <= row_value) {
        row[j] = {diagonal, before_value, p[i - 1], q[j - 1], corner, p_length, q_length};
      } else if (column_value < row_value || (column_value == row_value && q.size() > p.size())) {
        row[j] = {column_value, column_before, y.at, q[j - 1], y.off, y.second, q_length};
      } else {
        row[j] = {row_value, row_before, p[i - 1], x.at, x.off, p_length, x.second};
      }
    }
  }
  return row.back().value / total;
}

}  // namespace tsmini
