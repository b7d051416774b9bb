#include "model/net_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {
namespace {

// x and y stand in the first two columns; their waves go behind the seven features.
void add_fourier(std::size_t octaves, float* row) {
  float* wave = row + feature_count;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double angle = 2 * std::numbers::pi * static_cast<double>(row[axis]);
    for (std::size_t octave = 0; octave < octaves; ++octave, angle *= 2) {
      *wave++ = static_cast<float>(std::sin(angle));
      *wave++ = static_cast<float>(std::cos(angle));
    }
  }
}

[[noreturn]] void refuse(const Position& position, std::string_view id) {
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{} leaves the box of the model at ({}, {})",
                  id.empty() ? "the trajectory" : fmt::format("trajectory '{}'", printable(id, 80)),
                  position.lon, position.lat),
      "use data of the model's own region, or fit a model to this one (tsmini train --init "
      "MODEL --rebox)");
}

}  // namespace

void project_into(const FeatureFrame& frame, std::span<const Position> positions,
                  std::string_view id, std::vector<Planar>& points) {
  points.clear();
  for (const Position& position : positions) {
    points.push_back(frame.space.project(position));
    if (!frame.contains(points.back())) refuse(position, id);
  }
}

void net_features(const FeatureFrame& frame, const NetSettings& settings,
                  std::span<const Planar> points, std::span<float> rows) {
  const std::size_t columns = feature_columns(settings);
  const std::size_t count = feature_rows(points.size());
  assert(rows.size() == count * columns);
  // Packed at the front first, then moved apart from the last row on.
  point_features(frame, points, rows.first(count * feature_count));
  if (settings.fourier_octaves == 0) return;
  for (std::size_t r = count; r-- > 0;) {
    float* row = rows.data() + r * columns;
    const float* packed = rows.data() + r * feature_count;
    std::copy_backward(packed, packed + feature_count, row + feature_count);
    add_fourier(settings.fourier_octaves, row);
  }
}

}  // namespace tsmini
