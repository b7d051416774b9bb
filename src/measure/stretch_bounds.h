// Bounds for the measures that add something up over all points: edwp, erp, edr, lcss and sspd.
//
// Every trajectory is cut into 8 stretches (stretches.h), each in a box of its points and one of
// its points and segments. Let δ(p) be how far the box of p's stretch is from the nearest of Q's
// boxes, γ(p) how far it is from the gap point g, and the same for points of Q.
//
// sspd  A vertex of P is as far from Q's polyline as its box is from Q's boxes of segments, or
//       farther. So each of the two means is at least that of these distances.
// erp   Each point of P is matched with one of Q, for δ(p) or more, or left to g, for γ(p) or more:
//       erp ≥ Σ min(δ(p), γ(p)), and the same for Q. And as d(p,q) ≥ |d(p,g) - d(q,g)| for those
//       matched, and the rest pay their distance from g: erp ≥ |Σ d(p,g) - Σ d(q,g)|.
// edr   Only points with δ ≤ ε can match, so there are at most L = min(those of P, those of Q)
//       matches. Of the longer trajectory every other point costs an edit: edr ≥ 1 - L / max(m, n).
// lcss  has L / min(m, n) in its place.
// edwp  A distance is that of a chain of pairs of cuts (u, w), from the first points to the last,
//       whose pieces cost (|uw| + |u'w'|)(|uu'| + |ww'|) / Λ. Take |uu'| + |ww'| as time and let
//       f go straight from |uw| to |u'w'| over it: the cost is 2/Λ times the area under f. By the
//       triangle inequality f changes by no more than time passes; and time is at least Λ, as u
//       passes all points of P and w all of Q. So the area is at least that under the lowest such
//       f between F, the distance of the first points, and G, that of the last: down to 0 and up
//       again, (F² + G²)/2, where Λ ≥ F + G, and less where it is shorter. With S = F + G and
//       D = |F - G|: edwp ≥ (S² - max(S - Λ, 0)² + min(D, Λ)²) / 2Λ, which grows with F and with
//       G and falls with Λ. Nothing is said of where cuts lie: where a segment has no length a cut
//       is the other trajectory's point, off its own polyline, and a bound by how far polylines are
//       apart is wrong (docs/measures.md).
//
// For a block, boxes are taken together, and the least or the most of counts and lengths.
//
// What this leaves of erp, edr and lcss is looked at point by point: points of P in their order are
// matched with Q's boxes in theirs, or left. The table of the measure with 8 columns, in which any
// number of points may match one box and Q's points may be left for nothing, has the least cost, or
// the most matches.
//
// Rounding. Boxes lie on a grid and are rounded outward, by more than the distances' own rounding
// in double precision; so is ε, in whole units. safe_scale() takes off what roots and sums may err,
// and 1e-6 the few roundings (2^-24 each) of what is divided. Counts are exact (most_points).
#pragma once

#include "measure/bounds.h"
#include "measure/box_kernels.h"
#include "measure/grid.h"
#include "measure/path_block.h"

namespace tsmini {

class StretchBounds final : public LowerBounds {
 public:
  // `settings` are those of the measure; the tables do not depend on them.
  StretchBounds(Measure measure, const MeasureSettings& settings, const SearchTables& tables);
  std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                         IndexFilter allowed) const override;

 private:
  class Query;

  Measure measure_;
  MeasureSettings settings_;
  Grid grid_;
};

}  // namespace tsmini
