// The vector kernels of stretch_bounds.h: bounds of a block of trajectories, or of hulls, 16 at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsmini/measure.h"

#include "measure/box_kernels.h"
#include "measure/path_block.h"

namespace tsmini {

struct StretchQuery {
  GridBox first, last;
  GridBox stretch[stretches];  // points
  GridBox part[stretches];     // points and segments, as in PathBlock
  float count[stretches];      // points of a stretch
  float points;                // of all
  float length;                // of the polyline in units of the grid, rounded up; 0: no bounds
  float scale;                 // from lower sums in units of the grid to bounds

  std::int32_t squared_epsilon;  // edr, lcss: in units of the grid, rounded up

  // erp
  GridBox gap;
  float gap_x, gap_y;                      // in units of the grid, moved to its edge if outside
  std::int32_t squared_to_gap[stretches];  // from a stretch, in units of the grid
  float least_gap_sum, most_gap_sum;       // of the distances of all points from the gap point
  float upper_scale;                       // from upper sums in units of the grid
};

// Writes one bound for each lane.
using StretchKernel = void (*)(const BoxBlock& boxes, const PathBlock& paths,
                               const StretchQuery& query, float* bounds);

// The kernel for edwp, erp, edr, lcss or sspd, of the SIMD target in use.
StretchKernel stretch_kernel(Measure measure);

// The query's points against the boxes of as many trajectories as a block has, in units of the
// grid.
struct StretchAlignment {
  const float *x, *y;
  const float* to_gap;  // erp: distances from the gap point, rounded down
  std::size_t count;
  float squared_epsilon;  // edr, lcss: rounded up
  GridBoxes stretch[stretches];
  float result[bound_lanes];  // the least cost; of edr and lcss the most matches
};

// The kernel for erp, edr or lcss; null for others.
using AlignmentKernel = void (*)(StretchAlignment& alignment);
AlignmentKernel alignment_kernel(Measure measure);

}  // namespace tsmini
