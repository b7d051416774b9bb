#include "model/net_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"

namespace tsmini {
namespace {

// x and y stand in the first two columns; their waves go behind the seven features. Each octave
// comes from the one before by the formulas of the double angle, whose rounding doubles with it: 16
// of them leave 37 bits.
void add_fourier(std::size_t octaves, float* row) {
  float* wave = row + feature_count;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(row[axis]);
    double sine = std::sin(angle), cosine = std::cos(angle);
    for (std::size_t octave = 0; octave < octaves; ++octave) {
      *wave++ = static_cast<float>(sine);
      *wave++ = static_cast<float>(cosine);
      const double sine_before = sine;
      sine *= 2 * cosine;
      cosine = 1 - 2 * sine_before * sine_before;
    }
  }
}

[[noreturn]] void refuse(const Position& position, std::string_view id) {
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{} leaves the box of the model at ({}, {})",
                  id.empty() ? "the trajectory" : fmt::format("trajectory '{}'", printable(id, 80)),
                  position.lon, position.lat),
      "use data of the model's own region, or fit a model to this one: train from it (`init`) with "
      "`rebox`");
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

void add_waves(const NetSettings& settings, std::size_t count, std::span<float> rows) {
  const std::size_t columns = feature_columns(settings);
  assert(rows.size() == count * columns);
  if (settings.fourier_octaves == 0) return;
  for (std::size_t r = count; r-- > 0;) {  // the last row first: none runs over another
    float* row = rows.data() + r * columns;
    const float* packed = rows.data() + r * feature_count;
    std::copy_backward(packed, packed + feature_count, row + feature_count);
    add_fourier(settings.fourier_octaves, row);
  }
}

void net_features(const FeatureFrame& frame, const NetSettings& settings,
                  std::span<const Planar> points, std::span<float> rows) {
  const std::size_t count = feature_rows(points.size());
  point_features(frame, points, rows.first(count * feature_count));
  add_waves(settings, count, rows);
}

}  // namespace tsmini
