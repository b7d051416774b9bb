// How far two trajectories reach: a bound for measures that take the farthest of something.
//
// h(u), the support function, is how far a trajectory reaches in direction u. Where h_P(u) is
// larger than h_Q(u), the vertex of P that reaches farthest is at least their difference away from
// every point of Q's polyline. So |h_P(u) - h_Q(u)|, the largest of 16 directions, is no more than
// either Hausdorff and either Fréchet distance. With `end_points`, the distances of the first and
// of the last points count too, which bound the two Fréchet distances. The bound of a block takes,
// of each value, the one nearest to the query's that its trajectories can have.
#pragma once

#include "measure/bounds.h"
#include "measure/reach_block.h"

namespace tsmini {

// Fills what a query is compared with: blocks, and hulls of the first `lanes` of a block or of
// other hulls.
class ReachFiller {
 public:
  explicit ReachFiller(const Planar& origin) : origin_(origin) {}
  void fill(ReachBlock& block, std::size_t lane, std::span<const Planar> points) const;
  static void fill_hull(ReachHulls& hulls, std::size_t lane, const ReachHulls& of,
                        std::size_t lanes);
  static void fill_hull(ReachHulls& hulls, std::size_t lane, const ReachBlock& block);

 private:
  Planar origin_;
};

class ReachBounds final : public LowerBounds {
 public:
  ReachBounds(const SearchTables& tables, bool end_points);
  std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                         IndexFilter allowed) const override;

 private:
  class Query;

  bool end_points_;
};

}  // namespace tsmini
