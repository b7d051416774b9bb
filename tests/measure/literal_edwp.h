// EDwP by its definition, word for word, and by the ways that rounding may take instead.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/random.h"
#include "measure/naive.h"
#include "measure/trajectories.h"

namespace tsmini {

struct Literal {
  double v = std::numeric_limits<double>::infinity();
  double delta = 0;
  Planar a, b;
};

inline Planar literal_projection(const Planar& s, const Planar& e, const Planar& x) {
  const double ex = e.x - s.x, ey = e.y - s.y;
  const double square = ex * ex + ey * ey;
  if (square == 0) return x;
  const double t = ((x.x - s.x) * ex + (x.y - s.y) * ey) / square;
  if (t <= 0) return s;
  if (t >= 1) return e;
  return {s.x + t * ex, s.y + t * ey};
}

// `nudged` is what a value is taken for where ways are chosen.
template <class Nudged>
double literal_edwp(const Points& p, const Points& q, const Nudged& nudged) {
  double total = 0;
  for (std::size_t i = 1; i < p.size(); ++i) total += point_distance(p[i - 1], p[i]);
  for (std::size_t j = 1; j < q.size(); ++j) total += point_distance(q[j - 1], q[j]);
  if (total == 0) return 0;
  const auto piece = [&](const Planar& u, const Planar& u2, const Planar& w, const Planar& w2) {
    return (point_distance(u, w) + point_distance(u2, w2)) *
           (point_distance(u, u2) + point_distance(w, w2)) / total;
  };
  std::vector<std::vector<Literal>> cells(p.size(), std::vector<Literal>(q.size()));
  cells[0][0].v = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < p.size(); ++i) {
    for (std::size_t j = 1; j < q.size(); ++j) {
      const double before = cells[i - 1][j - 1].v;
      const double diagonal = before + piece(p[i - 1], p[i], q[j - 1], q[j]);
      double row = infinity, row_before = 0, column = infinity, column_before = 0;
      Planar x, y;
      if (i > 1) {
        const Literal& up = cells[i - 1][j];
        x = literal_projection(up.b, q[j], p[i - 1]);
        row_before = up.v - up.delta + piece(up.a, p[i - 1], up.b, x);
        row = row_before + piece(p[i - 1], p[i], x, q[j]);
      }
      if (j > 1) {
        const Literal& left = cells[i][j - 1];
        y = literal_projection(left.a, p[i], q[j - 1]);
        column_before = left.v - left.delta + piece(left.a, y, left.b, q[j - 1]);
        column = column_before + piece(y, p[i], q[j - 1], q[j]);
      }
      const double d = nudged(diagonal), c = nudged(column), r = nudged(row);
      if (d <= c && d <= r) {
        cells[i][j] = {diagonal, diagonal - before, p[i - 1], q[j - 1]};
      } else if (c < r || (c == r && q.size() > p.size())) {
        cells[i][j] = {column, column - column_before, y, q[j - 1]};
      } else {
        cells[i][j] = {row, row - row_before, p[i - 1], x};
      }
    }
  }
  return cells.back().back().v;
}

inline double literal_edwp(const Points& p, const Points& q) {
  return literal_edwp(p, q, [](double value) { return value; });
}

// Whether a value of single precision is the cost of a way whose choices were all but ties.
inline bool is_of_another_way(const Points& p, const Points& q, double value) {
  Random random(1);
  for (int attempt = 0; attempt < 200; ++attempt) {
    const double cost =
        literal_edwp(p, q, [&](double v) { return v * (1 + 1e-6 * random.uniform(-1, 1)); });
    if (std::abs(value - cost) <= 1e-3 * cost) return true;
  }
  return false;
}

}  // namespace tsmini
