// Lower bounds of distances, for a whole base at once.
//
// reach():   |h_P(u) - h_Q(u)| for 16 directions u, where h is how far a trajectory reaches in a
//            direction. No more than the Hausdorff distance of the polylines, and so than every
//            measure that takes the farthest of something. With end points also their distances,
//            which bound both Fréchet distances.
// box_sums(): the sum over the query's points of their distances to the nearest of 8 boxes that hold
//            the other's points, stretch by stretch: no more than dtw, which pairs every point with
//            some point in those boxes. Tried with one box around all first.
//
// Both are in single precision with the rounding taken off, so that they are bounds of the true
// distance. Trajectories are kept in order of place (Morton's), so that neighbours are often
// discarded together. 96 bytes a trajectory, 224 with boxes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/planar_set.h"

namespace tsmini {

inline constexpr std::size_t bound_lanes = 16;  // trajectories of a block
inline constexpr std::size_t reach_directions = 16;

// A block of trajectories, transposed.
struct alignas(64) BoundBlock {
  float reach[reach_directions][bound_lanes];
  float first_x[bound_lanes], first_y[bound_lanes], last_x[bound_lanes], last_y[bound_lanes];
};

struct alignas(64) BoxLanes {
  float min_x[bound_lanes], min_y[bound_lanes], max_x[bound_lanes], max_y[bound_lanes];
};
inline constexpr std::size_t stretches = 8;
struct BoxBlock {
  BoxLanes whole;
  BoxLanes part[stretches];
};

// A query, prepared: coordinates relative to the base's origin.
struct BoundQuery {
  std::vector<float> x, y;
  float reach[reach_directions];
  float slack = 0;  // rounding of one coordinate difference
};

class BoundIndex {
 public:
  enum class Boxes { no, yes };
  BoundIndex(const PlanarSet& base, Boxes boxes);

  std::size_t size() const { return order_.size(); }
  // Which trajectory of the base stands at a place of the index.
  std::size_t trajectory(std::size_t place) const { return order_[place]; }

  BoundQuery prepare(std::span<const Planar> query) const;

  // Into `bounds`, one per place (room for whole blocks of bound_lanes).
  void reach(const BoundQuery& query, bool end_points, std::span<float> bounds) const;

  // Bounds above `limit` may be given as any number above it. One per place, as above.
  void box_sums(const BoundQuery& query, float limit, std::span<float> bounds) const;

  std::size_t longest() const { return longest_; }  // points of the longest trajectory
  std::size_t padded_size() const { return blocks_.size() * bound_lanes; }

 private:
  Planar origin_;
  float extent_ = 0;  // largest coordinate of the base
  std::size_t longest_ = 0;
  std::vector<std::size_t> order_;
  std::vector<BoundBlock> blocks_;
  std::vector<BoxBlock> boxes_;  // where asked for
};

}  // namespace tsmini
