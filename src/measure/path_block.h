// What bounds need of polylines besides their points' boxes (box_kernels.h): boxes that hold the
// segments too, and how long the polylines are.
//
// Independent of the measure and its settings: 76 bytes a trajectory.
#pragma once

#include <cstddef>
#include <span>

#include "tsmini/space.h"

#include "measure/bound_lanes.h"
#include "measure/grid.h"
#include "measure/stretches.h"

namespace tsmini {

// Trajectories, or hulls of blocks, transposed.
struct alignas(64) PathBlock {
  GridBoxes part[stretches];        // points and segments of a stretch, with the one that leads on
  float least_points[bound_lanes];  // how many points a trajectory has, of hulls the fewest
  float most_points[bound_lanes];   // the same, of hulls the most
  float length[bound_lanes];  // of the polyline in units of the grid, rounded up; of hulls the most
};

// Makes blocks, and hulls of the first `lanes` of a block or of other hulls.
class PathFiller {
 public:
  explicit PathFiller(const Grid& grid) : grid_(grid) {}
  void fill(PathBlock& block, std::size_t lane, std::span<const Planar> points) const;
  static void fill_hull(PathBlock& hulls, std::size_t lane, const PathBlock& block,
                        std::size_t lanes);

 private:
  Grid grid_;
};

double polyline_length(std::span<const Planar> points);

}  // namespace tsmini
