// How far two trajectories reach: a bound for measures that take the farthest of something.
//
// h(u) is how far a trajectory reaches in direction u. |h_P(u) - h_Q(u)|, the largest of 16
// directions, is no more than the Hausdorff distance of the polylines, and so no more than either
// Hausdorff and either Fréchet distance. With `end_points` also the distances of the first and of
// the last points, which bound the two Fréchet distances. A block's bound takes the value nearest
// to the query's of all that its trajectories have.
#pragma once

#include "measure/bounds.h"

namespace tsmini {

inline constexpr std::size_t reach_directions = 16;

// What is compared: how far a trajectory reaches in each direction, and then x and y of its first
// and of its last point.
inline constexpr std::size_t reach_values = reach_directions + 4;

// A block of trajectories, transposed.
struct alignas(64) ReachBlock {
  float value[reach_values][bound_lanes];
};
// Hulls of blocks: the least and the largest value of each.
struct ReachHulls {
  ReachBlock low, high;
};

class ReachBounds final : public LowerBounds {
 public:
  ReachBounds(const PlanarSet& base, bool end_points);
  std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                         IndexFilter allowed) const override;

 private:
  class Query;

  Planar origin_;
  double extent_;  // largest coordinate of the base
  bool end_points_;
  std::vector<ReachBlock> blocks_;
  std::vector<ReachHulls> hulls_;
};

}  // namespace tsmini
