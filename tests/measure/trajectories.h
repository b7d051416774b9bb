// Trajectories for the tests of measures.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "base/random.h"

namespace tsmini {

using Points = std::vector<Planar>;

enum class Style {
  smooth,   // a walk whose heading changes slowly
  lattice,  // on whole numbers: ties, repeated points, segments of length 0
  far,      // a smooth walk around (1e7, -1e7)
};

inline Points random_points(std::size_t length, std::uint64_t seed, Style style = Style::smooth) {
  Random random(seed, length);
  Points points;
  Planar p{random.uniform(-50, 50), random.uniform(-50, 50)};
  double heading = random.uniform(0, 6.28);
  const double offset = style == Style::far ? 1e7 : 0;
  for (std::size_t i = 0; i < length; ++i) {
    points.push_back({p.x + offset, p.y - offset});
    heading += 0.5 * random.normal();
    p.x += 3 * std::cos(heading);
    p.y += 3 * std::sin(heading);
    if (style == Style::lattice) p = {std::round(p.x / 4) * 4, std::round(p.y / 4) * 4};
  }
  return points;
}

inline PlanarSet set_of(const std::vector<Points>& trajectories) {
  Points points;
  std::vector<std::uint64_t> offsets{0};
  for (const Points& t : trajectories) {
    points.insert(points.end(), t.begin(), t.end());
    offsets.push_back(points.size());
  }
  return PlanarSet(std::move(points), std::move(offsets));
}

// Trips of 1 (2 for edwp) to `longest` points.
inline std::vector<Points> mixed(Measure measure, std::size_t count, std::size_t longest,
                                 std::uint64_t seed, Style style = Style::smooth) {
  Random random(seed);
  const std::size_t shortest = measure == Measure::edwp ? 2 : 1;
  std::vector<Points> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(
        random_points(shortest + random.below(longest - shortest + 1), seed * 1000 + i, style));
  }
  return all;
}

inline MeasureSettings settings_for(Measure measure) {
  MeasureSettings settings;
  if (measure == Measure::edr || measure == Measure::lcss) settings.epsilon = 20.25;
  if (measure == Measure::erp) settings.gap = {3, -4};
  return settings;
}

}  // namespace tsmini
