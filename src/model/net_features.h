// What a network sees of a trajectory: the features of its points, and waves of x and y behind them
// where the settings ask for Fourier octaves.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tsmini/model.h"

namespace tsmini {

// Numbers a point.
inline std::size_t feature_columns(const NetSettings& settings) {
  return feature_count + 4 * settings.fourier_octaves;
}

// The points in frame.space. Throws Error(bad_input) for the first one outside the frame's box; it
// names `id`, if any.
void project_into(const FeatureFrame& frame, std::span<const Position> positions,
                  std::string_view id, std::vector<Planar>& points);

// Spreads `count` rows of point features, packed at the front, to feature_columns(settings) numbers
// each: waves go behind the features. (These are Fourier features: sine and cosine of 2π x, 4π x,
// 8π x, …, and then of y.)
void add_waves(const NetSettings& settings, std::size_t count, std::span<float> rows);

// Fills feature_rows(n) × feature_columns(settings) values with features and waves, row-major.
// `points` are in frame.space.
void net_features(const FeatureFrame& frame, const NetSettings& settings,
                  std::span<const Planar> points, std::span<float> rows);

}  // namespace tsmini
