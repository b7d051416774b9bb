#include "experiment/degrade.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/random.h"
#include "base/sampling.h"
#include "geo/wgs84.h"

namespace tsmini::experiment {
namespace {

void check(const Damage& damage) {
  if (!(damage.masked >= 0 && damage.masked <= 1)) {
    throw Error(ErrorCode::usage,
                fmt::format("{} is no share of points to leave out", damage.masked),
                "give a number from 0 to 1", "masked");
  }
  if (!(damage.shifted >= 0 && std::isfinite(damage.shifted))) {
    throw Error(ErrorCode::usage, fmt::format("points cannot move by {} m", damage.shifted),
                "give metres, 0 or more", "shifted");
  }
}

// How many of `size` points remain.
std::size_t remaining(std::size_t size, double masked) {
  const auto gone = static_cast<std::size_t>(std::round(masked * static_cast<double>(size)));
  return std::max(size - gone, std::min<std::size_t>(size, 2));
}

// A vector of length 1 in a random direction, without sine and cosine.
Planar random_direction(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), square = x * x + y * y;
    if (square > 1e-6 && square <= 1) return {x / std::sqrt(square), y / std::sqrt(square)};
  }
}

Position moved(const Position& p, double distance, Coordinates coordinates, Random& random) {
  const Planar way = random_direction(random);
  if (coordinates == Coordinates::planar)
    return {p.lon + distance * way.x, p.lat + distance * way.y};
  const DegreeLength degree = degree_length_at(p.lat);
  return {p.lon + distance * way.x / degree.lon,
          std::clamp(p.lat + distance * way.y / degree.lat, -90.0, 90.0)};
}

Position within(const FeatureFrame& frame, const Position& p) {
  const Planar at = frame.space.project(p);
  if (frame.contains(at)) return p;
  // What the way there and back may cost in digits.
  constexpr double hair = 1e-6;
  const auto clamped = [](double value, double low, double high) {
    return std::clamp(value, low + hair * (high - low), high - hair * (high - low));
  };
  return frame.space.unproject(
      {clamped(at.x, frame.low.x, frame.high.x), clamped(at.y, frame.low.y, frame.high.y)});
}

}  // namespace

Dataset degraded(const Dataset& data, std::span<const std::size_t> indices, const Damage& damage,
                 const FeatureFrame& frame, std::uint64_t seed) {
  check(damage);
  const Coordinates coordinates = data.info().coordinates;
  DatasetBuilder builder(coordinates);
  for (const std::size_t index : indices) {
    const Trajectory trip = data[index];
    Random random(seed, index);
    std::vector<Position> points;
    std::vector<std::int64_t> times;
    // Not by sample_below(): with its draws figures would not be those of earlier runs.
    const std::vector<bool> stays =
        mark_sample(trip.size(), remaining(trip.size(), damage.masked), random);
    for (std::size_t i = 0; i < trip.size(); ++i) {
      if (!stays[i]) continue;
      Position p = trip.points[i];
      if (damage.shifted > 0) p = moved(p, damage.shifted, coordinates, random);
      points.push_back(within(frame, p));
      if (trip.has_times()) times.push_back(trip.times[i]);
    }
    builder.add({trip.id, points, times}, Part::test);
  }
  return builder.finish(data.info().provenance);
}

}  // namespace tsmini::experiment
