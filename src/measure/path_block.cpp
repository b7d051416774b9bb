#include "measure/path_block.h"

#include <algorithm>

#include "measure/naive.h"

namespace tsmini {

double polyline_length(std::span<const Planar> points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    length += point_distance(points[i - 1], points[i]);
  }
  return length;
}

// The factor is more than the rounding to single precision and those of the sum, 1e-16 a segment.
void PathFiller::fill(PathBlock& block, std::size_t lane, std::span<const Planar> points) const {
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(block.part[s], lane, grid_.box(stretch_path(points, s)));
  }
  block.least_points[lane] = block.most_points[lane] = static_cast<float>(points.size());
  block.length[lane] = static_cast<float>(polyline_length(points) / grid_.unit() * (1 + 1e-6));
}

void PathFiller::fill_hull(PathBlock& hulls, std::size_t lane, const PathBlock& block,
                           std::size_t lanes) {
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(hulls.part[s], lane, hull_of(block.part[s], lanes));
  }
  const auto least = [&](const float* values) { return *std::min_element(values, values + lanes); };
  const auto most = [&](const float* values) { return *std::max_element(values, values + lanes); };
  hulls.least_points[lane] = least(block.least_points);
  hulls.most_points[lane] = most(block.most_points);
  hulls.length[lane] = most(block.length);
}

}  // namespace tsmini
