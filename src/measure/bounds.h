// Lower bounds of distances, for a whole base at once.
//
// reach():   |h_P(u) - h_Q(u)| for 16 directions u, where h is how far a trajectory reaches in a
//            direction. No more than the Hausdorff distance of the polylines, and so than every
//            measure that takes the farthest of something. With end points also their distances,
//            which bound both Fréchet distances.
// box_sums(): a trajectory cut into 8 stretches, each as many times the distance of its box from
// the
//            other's box as it has points; the larger of both directions. No more than dtw, which
//            pairs every point with some point in the other's box.
// refined(): the sum of one's points' distances to the nearest of the other's 8 boxes, again the
//            larger of both directions: tighter, dearer, for what box_sums() leaves.
//
// All are in single precision with the rounding taken off, so that they are bounds of the true
// distance. Trajectories are kept in order of place (Morton's), so that neighbours are often
// discarded together.
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

// Boxes, transposed: of the trajectories of a block, or of the stretches of one trajectory.
template <std::size_t count>
struct Boxes {
  alignas(count * sizeof(float)) float min_x[count];
  float min_y[count], max_x[count], max_y[count];
};
inline constexpr std::size_t stretches = 8;
using StretchBoxes = Boxes<stretches>;

// The boxes of a block's trajectories, and how many points each stretch has.
struct BoxBlock {
  Boxes<bound_lanes> whole;
  Boxes<bound_lanes> stretch[stretches];
  alignas(64) float points[stretches][bound_lanes];
};

// A query, prepared: coordinates relative to the base's origin.
struct BoundQuery {
  std::size_t count = 0;    // of points
  std::vector<float> x, y;  // and bound_lanes zeros, so that whole vectors may be read
  float reach[reach_directions];
  Boxes<1> whole;
  StretchBoxes stretch;
  float points[stretches];  // of each stretch
  float slack = 0;          // rounding of one coordinate difference
};

class BoundIndex {
 public:
  enum class For { farthest, sums };  // sums: with box_sums() and refined()
  BoundIndex(const PlanarSet& base, For purpose);

  std::size_t size() const { return order_.size(); }
  // Which trajectory of the base stands at a place of the index.
  std::size_t trajectory(std::size_t place) const { return order_[place]; }

  BoundQuery prepare(std::span<const Planar> query) const;

  // Into `bounds`, one per place (room for whole blocks of bound_lanes).
  void reach(const BoundQuery& query, bool end_points, std::span<float> bounds) const;

  void box_sums(const BoundQuery& query, std::span<float> bounds) const;

  // For one place; a bound above `limit` may be any number above it.
  float refined(const BoundQuery& query, std::size_t place, float limit) const;

  std::size_t longest() const { return longest_; }  // points of the longest trajectory
  std::size_t padded_size() const { return blocks_.size() * bound_lanes; }

 private:
  Planar origin_;
  float extent_ = 0;  // largest coordinate of the base
  std::size_t longest_ = 0;
  std::vector<std::size_t> order_;
  std::vector<BoundBlock> blocks_;

  // For sums: boxes, and the points themselves, place after place.
  std::vector<BoxBlock> boxes_;
  std::vector<StretchBoxes> stretches_;
  std::vector<float> x_, y_;  // and bound_lanes zeros
  std::vector<std::uint64_t> offsets_{0};
};

}  // namespace tsmini
