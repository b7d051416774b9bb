// How far the space `ground` is true.
//
// Its projection is exact on the central meridian and stretches lengths away from it: by 0.1 % at
// 285 km east or west, by 1 % at 900 km, by 20 % at 4,000 km. So a distance is too long, and from
// some point on the nearest is no longer the nearest. Up to 0.1 % nobody needs to know; up to 1 %
// it is worth a warning; beyond that a PlanarSet and a Collection refuse to measure. North and
// south the space reaches 5,000 km from its origin, which keeps the error of every distance
// within 1.3 times that of the lengths at its ends. The other spaces promise no metres and have no
// error.
//
//   Space space = Space::fit(SpaceKind::ground, base);
//   FarthestPlace far = farthest_place(space, queries, indices);
//   if (far.error > noticeable_error) std::cout << place_text(space, far.position) << '\n';
//   if (far.error > tolerated_error) throw out_of_reach(space, queries, far);
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/space.h"

namespace tsmini {

inline constexpr double noticeable_error = 0.001;
inline constexpr double tolerated_error = 0.01;

// By what share lengths around this point of the space exceed those on the ground; infinite where
// it is too far north or south.
double scale_error(const Space& space, const Planar& point);
// The same as scale_error() <= tolerated_error, without its hyperbolic cosine.
bool reaches(const Space& space, const Planar& point);
// Whether all points are so near to the origin of `ground` that nothing has to be projected to know
// that it reaches them. False says nothing.
bool surely_reaches(const Space& space, std::span<const Position> points);

// Where the space errs most.
struct FarthestPlace {
  double error = 0;
  std::size_t trajectory = 0;  // its index in the data set
  Position position;
};

// Where the space errs most among the trajectories `indices`. Looks only at the extent of the data
// where that is near enough to be of no concern, which leaves a FarthestPlace of error 0; else at
// every point of theirs.
FarthestPlace farthest_place(const Space& space, const Dataset& data,
                             std::span<const std::size_t> indices);

// "1,208 km from the central meridian of the space 'ground' (longitude -105), where lengths are
// 1.8 % too long".
std::string place_text(const Space& space, const Position& position);
// What to do about it.
std::string place_remedy(const Space& space, const Box& extent);

// Names the trajectory, the place, the extent of the data and the remedy.
Error out_of_reach(const Space& space, const Dataset& data, const FarthestPlace& place);

}  // namespace tsmini
