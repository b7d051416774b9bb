// The measures as their definitions read: scalar, double precision, one pair at a time.
//
// What everything faster is compared with. Memory is linear in q (callers pass the shorter one
// there; every measure but edwp gives the same digits either way, and edwp counts who is P).
// Inputs are not empty; edwp needs two points each. Work is counted row by row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tsmini/space.h"

#include "base/pulse.h"

namespace tsmini {

using Polyline = std::span<const Planar>;

double squared_distance(const Planar& a, const Planar& b);
double point_distance(const Planar& a, const Planar& b);
// The distance from p to the segment from s to e, which may be a point.
double segment_distance(const Planar& p, const Planar& s, const Planar& e);

double naive_dtw(Polyline p, Polyline q, Pulse& pulse);
double naive_frechet(Polyline p, Polyline q, Pulse& pulse);
double naive_erp(Polyline p, Polyline q, const Planar& gap, Pulse& pulse);
double naive_edr(Polyline p, Polyline q, double epsilon, Pulse& pulse);
double naive_lcss(Polyline p, Polyline q, double epsilon, Pulse& pulse);
double naive_hausdorff(Polyline p, Polyline q, Pulse& pulse);
double naive_hausdorff_segment(Polyline p, Polyline q, Pulse& pulse);
double naive_sspd(Polyline p, Polyline q, Pulse& pulse);
double naive_edwp(Polyline p, Polyline q, Pulse& pulse);

// The twin of frechet_continuous(), for tests alone: bisection over a plain free-space decision, to
// 1e-12 relative, slow.
double naive_frechet_continuous(Polyline p, Polyline q);

// Which cells a banded alignment may use; the wording is that of MeasureSettings::band. In whole
// numbers: |i·n - j·m| at most n times the width, i and m along the longer.
class Band {
 public:
  Band(std::size_t rows, std::size_t columns, std::optional<std::size_t> width);

  bool contains(std::size_t row, std::size_t column) const {
    const std::size_t a = row * columns_, b = column * rows_;
    return (a > b ? a - b : b - a) <= limit_;
  }

 private:
  std::size_t rows_, columns_;
  std::size_t limit_;
};
double banded_dtw(Polyline p, Polyline q, std::size_t width, Pulse& pulse);

}  // namespace tsmini
