#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/measure.h"

#include "measure/check.h"
#include "measure/naive.h"

namespace tsmini {
namespace {

enum class Step : std::uint8_t { diagonal, up, left };

constexpr std::size_t most_cells = std::size_t{1} << 31;  // of a table, a byte each

// The best step into every cell, and the value of the last one.
struct Table {
  double value = 0;
  std::vector<Step> steps;
};

// join(d², best of the three before) is the value of a cell.
template <class Join>
Table fill(Polyline p, Polyline q, const Band& band, Pulse& pulse, const Join& join) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (p.size() > most_cells / q.size()) {
    throw Error(
        ErrorCode::usage,
        fmt::format("an alignment of {} with {} points takes a byte for every pair of them, "
                    "more than the 2 GB that it may",
                    p.size(), q.size()),
        "align shorter trajectories; the distance alone needs no such memory", "points");
  }
  Table table;
  table.steps.resize(p.size() * q.size());
  std::vector<double> row(q.size() + 1, infinity);
  row[0] = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    double diagonal = row[0];
    row[0] = infinity;
    for (std::size_t j = 0; j < q.size(); ++j) {
      const double up = row[j + 1], left = row[j];
      double best = diagonal;
      Step step = Step::diagonal;
      if (up < best) best = up, step = Step::up;
      if (left < best) best = left, step = Step::left;
      table.steps[i * q.size() + j] = step;
      row[j + 1] = band.contains(i, j) ? join(squared_distance(p[i], q[j]), best) : infinity;
      diagonal = up;
    }
    pulse.work(q.size());
  }
  table.value = row.back();
  return table;
}

std::vector<std::pair<std::size_t, std::size_t>> path_through(const std::vector<Step>& steps,
                                                              std::size_t m, std::size_t n) {
  std::size_t i = m - 1, j = n - 1;
  std::vector<std::pair<std::size_t, std::size_t>> path{{i, j}};
  while (i > 0 || j > 0) {
    const Step step = steps[i * n + j];
    if (step != Step::left) --i;
    if (step != Step::up) --j;
    path.emplace_back(i, j);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

Alignment align(Measure measure, std::span<const Planar> p, std::span<const Planar> q,
                const MeasureSettings& settings, const Heartbeat& heartbeat) {
  if (measure != Measure::dtw && measure != Measure::frechet) {
    throw Error(ErrorCode::usage,
                fmt::format("the measure '{}' has no alignment of points", name_of(measure)),
                "only 'dtw' and 'frechet' do", "measure");
  }
  check_settings(measure, settings);
  check_points(measure, p);
  check_points(measure, q);
  const Band band(p.size(), q.size(), settings.band);
  Pulse pulse(heartbeat);
  const bool sums = measure == Measure::dtw;
  const Table table =
      sums ? fill(p, q, band, pulse, [](double d2, double best) { return std::sqrt(d2) + best; })
           : fill(p, q, band, pulse, [](double d2, double best) { return std::max(d2, best); });
  return {sums ? table.value : std::sqrt(table.value),
          path_through(table.steps, p.size(), q.size())};
}

}  // namespace tsmini
