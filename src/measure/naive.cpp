#include "measure/naive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tsmini {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Fills a table of (m + 1) × (n + 1) row by row, keeping one row, and gives its last cell.
// border(i, j) is the value where i or j is 0; cell(i, j, diagonal, up, left) that of the cell for
// points i and j.
template <class Border, class Cell>
double last_cell(std::size_t m, std::size_t n, Pulse& pulse, const Border& border,
                 const Cell& cell) {
  std::vector<double> row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) row[j] = border(0, j);
  for (std::size_t i = 0; i < m; ++i) {
    double diagonal = row[0];
    row[0] = border(i + 1, 0);
    for (std::size_t j = 0; j < n; ++j) {
      const double up = row[j + 1];
      row[j + 1] = cell(i, j, diagonal, up, row[j]);
      diagonal = up;
    }
    pulse.work(n);
  }
  return row[n];
}

double infinite_border(std::size_t i, std::size_t j) {
  return i == 0 && j == 0 ? 0 : infinity;
}

// The farthest point of p from the nearest of q, squared.
double directed_hausdorff_squared(Polyline p, Polyline q, Pulse& pulse) {
  double farthest = 0;
  for (const Planar& a : p) {
    double nearest = infinity;
    for (const Planar& b : q) nearest = std::min(nearest, squared_distance(a, b));
    farthest = std::max(farthest, nearest);
    pulse.work(q.size());
  }
  return farthest;
}

double polyline_distance(const Planar& a, Polyline q) {
  double nearest = point_distance(a, q.front());
  for (std::size_t j = 1; j < q.size(); ++j) {
    nearest = std::min(nearest, segment_distance(a, q[j - 1], q[j]));
  }
  return nearest;
}

double farthest_from_polyline(Polyline p, Polyline q, Pulse& pulse) {
  double farthest = 0;
  for (const Planar& a : p) {
    farthest = std::max(farthest, polyline_distance(a, q));
    pulse.work(q.size());
  }
  return farthest;
}

double mean_from_polyline(Polyline p, Polyline q, Pulse& pulse) {
  double sum = 0;
  for (const Planar& a : p) {
    sum += polyline_distance(a, q);
    pulse.work(q.size());
  }
  return sum / static_cast<double>(p.size());
}

// Entry k: the sum of the distances of the first k points to the gap point.
std::vector<double> gap_sums(Polyline p, const Planar& gap) {
  std::vector<double> sums{0};
  for (const Planar& a : p) sums.push_back(sums.back() + point_distance(a, gap));
  return sums;
}

}  // namespace

double squared_distance(const Planar& a, const Planar& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

double point_distance(const Planar& a, const Planar& b) {
  return std::sqrt(squared_distance(a, b));
}

double segment_distance(const Planar& p, const Planar& s, const Planar& e) {
  const double ex = e.x - s.x, ey = e.y - s.y;
  const double squared_length = ex * ex + ey * ey;
  if (squared_length == 0) return point_distance(p, s);
  const double t = std::clamp(((p.x - s.x) * ex + (p.y - s.y) * ey) / squared_length, 0.0, 1.0);
  return point_distance({p.x - s.x, p.y - s.y}, {t * ex, t * ey});
}

double naive_dtw(Polyline p, Polyline q, Pulse& pulse) {
  return last_cell(p.size(), q.size(), pulse, infinite_border,
                   [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
                     return point_distance(p[i], q[j]) + std::min({diagonal, up, left});
                   });
}

double naive_frechet(Polyline p, Polyline q, Pulse& pulse) {
  return std::sqrt(
      last_cell(p.size(), q.size(), pulse, infinite_border,
                [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
                  return std::max(squared_distance(p[i], q[j]), std::min({diagonal, up, left}));
                }));
}

double naive_erp(Polyline p, Polyline q, const Planar& gap, Pulse& pulse) {
  const std::vector<double> p_sums = gap_sums(p, gap), q_sums = gap_sums(q, gap);
  return last_cell(
      p.size(), q.size(), pulse,
      [&](std::size_t i, std::size_t j) { return i > 0 ? p_sums[i] : q_sums[j]; },
      [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
        return std::min({diagonal + point_distance(p[i], q[j]), up + point_distance(p[i], gap),
                         left + point_distance(q[j], gap)});
      });
}

double naive_edr(Polyline p, Polyline q, double epsilon, Pulse& pulse) {
  const double edits = last_cell(
      p.size(), q.size(), pulse,
      [](std::size_t i, std::size_t j) { return static_cast<double>(i + j); },
      [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
        const double change = squared_distance(p[i], q[j]) <= epsilon * epsilon ? 0 : 1;
        return std::min(diagonal + change, std::min(up, left) + 1);
      });
  return edits / static_cast<double>(std::max(p.size(), q.size()));
}

double naive_lcss(Polyline p, Polyline q, double epsilon, Pulse& pulse) {
  const double common = last_cell(
      p.size(), q.size(), pulse, [](std::size_t, std::size_t) { return 0.0; },
      [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
        const bool match = squared_distance(p[i], q[j]) <= epsilon * epsilon;
        return match ? diagonal + 1 : std::max(up, left);
      });
  return 1 - common / static_cast<double>(std::min(p.size(), q.size()));
}

double naive_hausdorff(Polyline p, Polyline q, Pulse& pulse) {
  return std::sqrt(
      std::max(directed_hausdorff_squared(p, q, pulse), directed_hausdorff_squared(q, p, pulse)));
}

double naive_hausdorff_segment(Polyline p, Polyline q, Pulse& pulse) {
  return std::max(farthest_from_polyline(p, q, pulse), farthest_from_polyline(q, p, pulse));
}

double naive_sspd(Polyline p, Polyline q, Pulse& pulse) {
  return (mean_from_polyline(p, q, pulse) + mean_from_polyline(q, p, pulse)) / 2;
}

Band::Band(std::size_t rows, std::size_t columns, std::optional<std::size_t> width)
    : rows_(rows), columns_(columns), limit_(std::numeric_limits<std::size_t>::max()) {
  const std::size_t shorter = std::min(rows, columns), longer = std::max(rows, columns);
  if (!width || *width >= longer) return;
  limit_ = *width * shorter;
  if (longer > shorter) limit_ = std::max({limit_, shorter, longer - shorter});
}

double banded_dtw(Polyline p, Polyline q, std::size_t width, Pulse& pulse) {
  const Band band(p.size(), q.size(), width);
  return last_cell(p.size(), q.size(), pulse, infinite_border,
                   [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
                     return band.contains(i, j)
                                ? point_distance(p[i], q[j]) + std::min({diagonal, up, left})
                                : infinity;
                   });
}

}  // namespace tsmini
