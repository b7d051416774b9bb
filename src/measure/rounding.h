// How far single precision may be from the truth: the slack of exact search, from the arithmetic.
//
// u = 2^-24 is the relative error of one rounding. E, the extent, is the largest coordinate of base
// and query relative to the base's origin; so points are at most 2√2 E apart, and segments at most
// that long. What follows is to first order in u; the constants below are larger by more than what
// that leaves out, and by more than the same roundings in double precision, 2^-29 of these.
//
// Coordinates. Rounding moves a coordinate by u E, a point by √2 u E, and so the distance of two
// points, or of a point from a segment, by 2√2 u E = 2.83 u E. What takes the farthest or the
// nearest of distances moves by no more than they do.
//
// The distance of two points (frechet, hausdorff). Differences err by u, their squares by 2u, with
// product and sum by 4u; the root halves that and adds its own: 3u, relative to the distance.
//
// The sum of K distances (dtw, erp). K is at most the number of points of both, and E covers
// erp's gap point too. A root comes from an approximate reciprocal root and a step of Newton's
// method, which turns its relative error e into 1.5 e²: 0.1u where e is 2^-14 (AVX-512), 3.4u
// where it is 1.5·2^-12 (SSE4, AVX2), 78u where it is 1.76e-3 (the emulation for processors without
// such an instruction). With 4u for the roundings of that step and 2u of the square that is 84u;
// and each sum adds u: (84 + K) u, relative, and K · 2.83 u E.
//
// The distance of a point from a segment (hausdorff-segment). With f from the segment's beginning
// to the point and e to its end, |f - t e| where t = f·e · (1/e²), clamped to [0, 1]:
//   f and e are rounded                              u |f| + u |e|
//   f·e errs by 2u |f||e|, 1/e² by 3u, their product by u more: t by 6u |f|/|e|, which
//   clamping does not enlarge, and moves t e by       6u |f|
//   t e is rounded where nothing is fused             u |e|
// With |f| and |e| at most 2√2 E that is 9 · 2.83 u E, and 28.3 u E with the coordinates. What is
// left, the length of f - t e, errs by 4u, relative.
//
// The mean of such distances (sspd) errs by as much: a sum of K adds K u, relative, its division
// and the mean of both directions 3u.
//
// edwp, edr and lcss branch, and have no such bound: they are computed in double precision, as is
// frechet-continuous.
//
// Near zero. A reciprocal root is at most 1e18 here, which takes up to 1e-18 from a root below
// 1e-18; squares that underflow and segments that count as points for it (PackedSet) make less.
//
// Far away. Squares overflow from 6e18 on, sums of edwp's products earlier.
#pragma once

#include <cstddef>

#include "tsmini/measure.h"

namespace tsmini {

inline constexpr double unit_roundoff = 1.0 / (1 << 24);

// Up to which squares, and sums of millions of products of lengths, are finite in single precision.
inline constexpr double largest_extent = 1e15;
// Where what is lost near zero is small beside the rest.
inline constexpr double smallest_extent = 1e-15;

// Up to which sums and differences of counts of points are exact in single precision.
inline constexpr std::size_t most_points = 1 << 23;

inline bool has_single_error(Measure measure) {
  return measure != Measure::frechet_continuous && measure != Measure::edwp &&
         measure != Measure::edr && measure != Measure::lcss;
}

// By how much the double of a distance that single precision says is `d` may differ: it is at least
// (d - absolute) / (1 + relative) and at most (d + absolute) / (1 - relative).
struct SingleError {
  double relative = 0, absolute = 0;

  bool is_none() const { return relative == 0 && absolute == 0; }
  double least(double d) const { return (d - absolute) / (1 + relative); }
  double most(double d) const { return (d + absolute) / (1 - relative); }
};

// The error of one of the measures above. `points` are those of both trajectories.
inline SingleError single_error(Measure measure, double extent, std::size_t points) {
  const double quantum = unit_roundoff * extent;
  constexpr double near_zero = 1e-18;
  const auto steps = static_cast<double>(points);
  switch (measure) {
    case Measure::dtw:
    case Measure::erp: return {(100 + steps) * unit_roundoff, steps * (3 * quantum + near_zero)};
    case Measure::sspd: return {(16 + steps) * unit_roundoff, 30 * quantum + near_zero};
    case Measure::hausdorff_segment: return {8 * unit_roundoff, 30 * quantum + near_zero};
    default: return {8 * unit_roundoff, 3 * quantum + near_zero};
  }
}

}  // namespace tsmini
