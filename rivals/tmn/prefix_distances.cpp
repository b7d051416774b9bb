#include "rivals/tmn/prefix_distances.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tsmini::rivals {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Polyline = std::span<const Planar>;
using Lengths = std::span<const std::size_t>;

double squared(const Planar& a, const Planar& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

double apart(const Planar& a, const Planar& b) {
  return std::sqrt(squared(a, b));
}

// The cells (l, l) of a table that is filled row by row. border(k) is the value before the first
// point of one and behind the first k of the other; cell(i, j, diagonal, up, left) that of points i
// and j.
template <class PBorder, class QBorder, class Cell>
std::vector<double> table(Lengths lengths, const PBorder& p_border, const QBorder& q_border,
                          const Cell& cell) {
  std::vector<double> found;
  const std::size_t n = lengths.back();
  std::vector<double> row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) row[j] = q_border(j);
  for (std::size_t i = 0; i < n; ++i) {
    double diagonal = row[0];
    row[0] = p_border(i + 1);
    for (std::size_t j = 0; j < n; ++j) {
      const double up = row[j + 1];
      row[j + 1] = cell(i, j, diagonal, up, row[j]);
      diagonal = up;
    }
    if (lengths[found.size()] == i + 1) found.push_back(row[i + 1]);
  }
  return found;
}

double unreached(std::size_t points) {
  return points == 0 ? 0 : infinity;
}

std::vector<double> dtw(Polyline p, Polyline q, Lengths lengths) {
  return table(lengths, unreached, unreached,
               [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
                 return apart(p[i], q[j]) + std::min({diagonal, up, left});
               });
}

std::vector<double> frechet(Polyline p, Polyline q, Lengths lengths) {
  std::vector<double> found =
      table(lengths, unreached, unreached,
            [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
              return std::max(squared(p[i], q[j]), std::min({diagonal, up, left}));
            });
  for (double& value : found) value = std::sqrt(value);
  return found;
}

// Entry k: what it costs to leave out the first k points.
std::vector<double> sums_to(const Planar& gap, Polyline p, std::size_t count) {
  std::vector<double> sums{0};
  for (const Planar& point : p.first(count)) sums.push_back(sums.back() + apart(point, gap));
  return sums;
}

std::vector<double> erp(Polyline p, Polyline q, Lengths lengths) {
  const Planar gap = MeasureSettings{}.gap;
  const std::vector<double> p_sums = sums_to(gap, p, lengths.back());
  const std::vector<double> q_sums = sums_to(gap, q, lengths.back());
  return table(
      lengths, [&](std::size_t points) { return p_sums[points]; },
      [&](std::size_t points) { return q_sums[points]; },
      [&](std::size_t i, std::size_t j, double diagonal, double up, double left) {
        return std::min(
            {diagonal + apart(p[i], q[j]), up + apart(p[i], gap), left + apart(q[j], gap)});
      });
}

// Takes one more point of both at a time, with the nearest of the other so far for every point.
std::vector<double> hausdorff(Polyline p, Polyline q, Lengths lengths) {
  std::vector<double> found, p_nearest, q_nearest;
  for (std::size_t last = 0; last < lengths.back(); ++last) {
    p_nearest.push_back(infinity);
    q_nearest.push_back(infinity);
    for (std::size_t i = 0; i <= last; ++i) {
      const double of_p = squared(p[i], q[last]), of_q = squared(p[last], q[i]);
      p_nearest[i] = std::min(p_nearest[i], of_p);
      q_nearest[last] = std::min(q_nearest[last], of_p);
      q_nearest[i] = std::min(q_nearest[i], of_q);
      p_nearest[last] = std::min(p_nearest[last], of_q);
    }
    if (lengths[found.size()] != last + 1) continue;
    found.push_back(std::sqrt(std::max(*std::max_element(p_nearest.begin(), p_nearest.end()),
                                       *std::max_element(q_nearest.begin(), q_nearest.end()))));
  }
  return found;
}

}  // namespace

std::vector<double> prefix_distances(Measure measure, Polyline p, Polyline q, Lengths lengths) {
  if (lengths.empty()) return {};
  if (measure == Measure::dtw) return dtw(p, q, lengths);
  if (measure == Measure::frechet) return frechet(p, q, lengths);
  if (measure == Measure::erp) return erp(p, q, lengths);
  if (measure == Measure::hausdorff) return hausdorff(p, q, lengths);
  std::vector<double> found;
  for (const std::size_t length : lengths)
    found.push_back(distance(measure, p.first(length), q.first(length)));
  return found;
}

std::vector<std::vector<double>> prefix_distances(Measure measure, const PlanarSet& trips,
                                                  std::span<const std::int64_t> a,
                                                  std::span<const std::int64_t> b,
                                                  Lengths lengths) {
  std::vector<std::vector<double>> all(a.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.size()), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const Polyline p = trips[static_cast<std::size_t>(a[i])];
      const Polyline q = trips[static_cast<std::size_t>(b[i])];
      const auto end =
          std::upper_bound(lengths.begin(), lengths.end(), std::min(p.size(), q.size()));
      all[i] = prefix_distances(measure, p, q, {lengths.begin(), end});
    }
  });
  return all;
}

}  // namespace tsmini::rivals
