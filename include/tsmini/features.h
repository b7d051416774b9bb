// What the network is given of a trajectory: seven numbers a point.
//
//   const FeatureFrame frame = FeatureFrame::fit(data);
#pragma once

#include <cstddef>
#include <span>

#include "tsmini/dataset.h"
#include "tsmini/space.h"

namespace tsmini {

// Where features come from: a plane in metres and the box in it that is scaled to [0, 1]². Part of
// the model, so that an embedding never depends on the data it travels with.
struct FeatureFrame {
  Space space;  // mercator for degrees, planar for planar data
  Planar low;
  Planar high;

  // The box of the data (of its split, where it has one), 500 m wider on every side.
  // Throws Error(bad_input) for an empty data set.
  static FeatureFrame fit(const Dataset& data);

  bool contains(const Planar& point) const;
  // The corners of the frame as the data has them: degrees, or x and y of planar data.
  Box box() const;
};

// Seven numbers a point: x and y scaled to the frame's box; lengths of the segments before and
// after in km; their headings as a share of the full turn, counted from east against the clock;
// the turning angle, the difference of these headings folded to a share of the half turn. What
// does not exist at the two ends is 0, and so is the heading of a segment without length.
inline constexpr std::size_t feature_count = 7;
// A trajectory of fewer points is extended to this many by repeating its ends, the last one first.
inline constexpr std::size_t shortest_input = 7;

// Points after extension: max(points, shortest_input).
std::size_t feature_rows(std::size_t points);
// Fills feature_rows(n) × feature_count values, row-major. `points` are in frame.space, one at
// least.
void point_features(const FeatureFrame& frame, std::span<const Planar> points,
                    std::span<float> features);

}  // namespace tsmini
