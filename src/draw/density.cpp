#include "draw/density.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "base/pulse.h"

namespace tsmini {
namespace {

void add(Density& density, std::span<const Position> points, const Frame& frame, Pulse& pulse) {
  constexpr std::uint64_t cells_a_point = 16;
  if (points.empty()) return;
  const Pixel first = frame.pixel_of(points.front());
  Pixel previous = first;
  double length = 0;
  for (const Position& position : points) {
    const Pixel next = frame.pixel_of(position);
    if (!frame.contains(next)) ++density.points_outside;
    density.raster.add_line(previous, next);
    length += std::hypot(next.x - previous.x, next.y - previous.y);
    previous = next;
    pulse.work(cells_a_point);
  }
  if (length < 1) density.raster.add_dot(first);
}

}  // namespace

// One raster per thread, all of integers: their sum does not depend on who drew what.
Density density_of(const Dataset& data, std::span<const std::size_t> trips, const Frame& frame,
                   const Heartbeat& heartbeat) {
  const Density empty{DensityRaster(frame.width(), frame.height())};
  tbb::enumerable_thread_specific<Density> densities(empty);
  const std::size_t block = std::max<std::size_t>(4096, trips.size() / 64);
  for (std::size_t begin = 0; begin < trips.size(); begin += block) {
    const std::size_t end = std::min(trips.size(), begin + block);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end), [&](const auto& range) {
      Pulse pulse(heartbeat);
      Density& density = densities.local();
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        add(density, data[trips[i]].points, frame, pulse);
      }
    });
    heartbeat.advance(end - begin);
  }
  Density sum = empty;
  densities.combine_each([&](const Density& density) {
    sum.raster.merge(density.raster);
    sum.points_outside += density.points_outside;
  });
  return sum;
}

GroundDensity ground_density(const Dataset& data, const GroundTints& tints, const Frame& frame,
                             const Heartbeat& heartbeat) {
  std::vector<std::vector<std::size_t>> trips(tints.count() + 1);
  for (std::size_t i = 0; i < data.size(); ++i) trips[tints.of_trip(i)].push_back(i);
  Density plain = density_of(data, trips[0], frame, heartbeat);
  GroundDensity ground{std::move(plain.raster),
                       DensityRaster(frame.width(), frame.height()),
                       {},
                       plain.points_outside};
  const auto width = static_cast<std::size_t>(frame.width());
  ground.tints.resize(width * static_cast<std::size_t>(frame.height()), 0);
  if (tints.count() == 0) return ground;
  std::vector<double> most(ground.tints.size(), 0);
  for (std::size_t tint = 1; tint < trips.size(); ++tint) {
    const Density density = density_of(data, trips[tint], frame, heartbeat);
    ground.points_outside += density.points_outside;
    ground.tinted.merge(density.raster);
    for (std::size_t at = 0; at < most.size(); ++at) {
      const double here =
          density.raster.density(static_cast<int>(at % width), static_cast<int>(at / width));
      if (here <= most[at]) continue;
      most[at] = here;
      ground.tints[at] = static_cast<std::uint8_t>(tint);
    }
  }
  return ground;
}

double tint_strength(double density, const Tone& tone) {
  constexpr double of_one_trip = 0.55;
  return std::min(
      1.0, of_one_trip * std::min(1.0, density) + (1 - of_one_trip) * tone.level_of(density));
}

}  // namespace tsmini
