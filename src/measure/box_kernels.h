// The vector kernels of box_bounds.h.
#pragma once

#include <cstddef>

#include "measure/bound_lanes.h"
#include "measure/grid.h"
#include "measure/stretches.h"

namespace tsmini {

// Trajectories, or hulls of blocks, transposed.
struct BoxBlock {
  GridBoxes first, last;  // points
  GridBoxes stretch[stretches];
  float inner[stretches][bound_lanes];  // points of a stretch, but for the first and the last
};

struct BoxQuery {
  GridBox first, last;
  GridBox stretch[stretches];
  float inner[stretches];
  float last_counts;  // 0 for a single point, whose first is its last
  float scale;        // from sums in units of the grid to bounds
};

// Points in units of the grid against the boxes of as many trajectories as a block has.
struct BoxAlignment {
  const float *x, *y;
  std::size_t count;
  GridBoxes stretch[stretches];
  float sums[stretches][bound_lanes];  // of alignments that end with the last point and a stretch
};

// The factor that makes sums in units of the grid lower bounds. Both kernels take roots from
// approximate reciprocals, too large by 1.5 · 2^-12 = 3.7e-4 at most (SSE4, AVX2; AVX-512 and the
// emulation err by less, or below); a square, its root and the scale itself are rounded five times,
// 3e-7; and each of `steps` additions of products rounds twice, by 2^-24 = 6e-8.
inline float safe_scale(double unit, std::size_t steps) {
  return static_cast<float>(unit * (1 - 4e-4 - 1.2e-7 * static_cast<double>(steps)));
}

// Writes one bound for each lane.
void sum_boxes(const BoxBlock& block, const BoxQuery& query, float* bounds);

void align_with_boxes(BoxAlignment& alignment);

}  // namespace tsmini
