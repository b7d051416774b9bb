// The trajectories of a data set, projected into one space: what the measures work on.
//
// Coordinates are float64 in the unit of the space; kernels in single precision take them relative
// to origin(), the middle of the extent, so that no digit is lost far from zero. Ragged, immutable,
// safe to share between threads; copies share the points. 16 bytes a point.
//
//   PlanarSet trips(dataset, Space::fit(SpaceKind::ground, dataset));
//   double d = distance(Measure::dtw, trips[0], trips[1]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/space.h"

namespace tsmini {

class PlanarSet {
 public:
  // All trajectories, or those of `indices` in that order. Throws Error(bad_input) naming the id of
  // a trajectory that is empty, whose projection is not finite or beyond 1e150, whose square would
  // overflow, or that the space does not reach.
  PlanarSet(const Dataset& data, const Space& space);
  PlanarSet(const Dataset& data, const Space& space, std::span<const std::size_t> indices);
  // Takes points that are in a plane already: trajectory i is points[offsets[i] .. offsets[i + 1]).
  // Throws Error(bad_input) naming the number of a trajectory that is empty or not finite.
  PlanarSet(std::vector<Planar> points, std::vector<std::uint64_t> offsets);

  // The trajectories of `indices`, in that order, with this set's origin: they are as far from each
  // other as here, to the last bit in single precision too.
  PlanarSet subset(std::span<const int> indices) const;

  std::size_t size() const { return offsets_.size() - 1; }
  std::span<const Planar> operator[](std::size_t index) const {
    return points_.subspan(offsets_[index], length(index));
  }
  std::size_t length(std::size_t index) const { return offsets_[index + 1] - offsets_[index]; }
  Planar origin() const { return origin_; }

 private:
  struct Storage;

  void adopt(Storage storage);
  [[noreturn]] void throw_unsound(const Dataset& data, const Space& space,
                                  std::span<const std::size_t> indices) const;

  std::shared_ptr<const Storage> storage_;
  std::span<const Planar> points_;
  std::span<const std::uint64_t> offsets_;
  Planar origin_;
};

}  // namespace tsmini
