// Trips of a data set in the plane of a measure, projected whenever some of them are wanted. What
// is kept is the data set itself, however large it is.
//
//   ProjectedTrips trips(data, parts.train, space);
//   PlanarSet batch = trips.subset(ids);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"
#include "tsmini/space.h"

namespace tsmini::learn {

class ProjectedTrips {
 public:
  // Projects all of them once, on all cores, to find their origin. Throws Error(bad_input) naming
  // the id of a trip that is empty or not finite in the space. Progress counts trips.
  ProjectedTrips(const Dataset& data, std::span<const std::size_t> indices, const Space& space,
                 const Progress& progress = {});

  std::size_t size() const { return indices_.size(); }
  // The trips of `ids`, in that order. All have one origin: they are as far from each other in any
  // subset, to the last bit in single precision too.
  PlanarSet subset(std::span<const int> ids) const;
  PlanarSet all() const { return {data_, space_, indices_}; }  // 16 bytes a point

 private:
  Dataset data_;
  std::vector<std::size_t> indices_;
  Space space_;
  PlanarBox extent_;  // of all; its middle is the origin
};

}  // namespace tsmini::learn
