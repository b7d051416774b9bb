// Lower bounds of the distance from a piece to the nearest stretch of a trip.
//
// Every trip is cut into boxes around 8 consecutive points each. Whatever the match, an alignment
// pairs every point of the piece with some point of the trip, at least as far away as the nearest
// of its boxes: the sum of these distances is a bound for dtw, the largest one for frechet.
//
// Boxes are in single precision relative to the origin of the set, rounded outward. So a bound errs
// upward by no more than single_error() says of as many points as the piece has: every distance is
// rounded as that of two points is, and the sum has one term a point.
//
//   const TripBoxes boxes(trips);
//   const float bound = boxes.bound(Measure::dtw, PieceLanes(piece, trips.origin()), 17);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "measure/bound_lanes.h"

namespace tsmini {

struct PlaneBox {
  float low_x, low_y, high_x, high_y;
};

// The points of a piece, as many side by side as a vector has lanes; the last is repeated, and
// counts only once.
class PieceLanes {
 public:
  PieceLanes(std::span<const Planar> piece, const Planar& origin);

  struct alignas(64) Lanes {
    float x[bound_lanes], y[bound_lanes], counts[bound_lanes];
  };
  std::span<const Lanes> lanes() const { return lanes_; }

 private:
  std::vector<Lanes> lanes_;
};

class TripBoxes {
 public:
  // Makes the boxes on all cores. Coordinates must be of an extent that single precision knows
  // (rounding.h).
  explicit TripBoxes(const PlanarSet& trips);

  // The lower bound for one trip, by dtw or frechet.
  float bound(Measure measure, const PieceLanes& piece, std::size_t trip) const;

 private:
  std::vector<std::uint64_t> offsets_;  // where the boxes of a trip begin; one more than trips
  std::vector<PlaneBox> boxes_;
};

}  // namespace tsmini
