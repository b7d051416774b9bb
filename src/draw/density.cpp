#include "draw/density.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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
Density density_of(const Dataset& data, const Frame& frame, const Heartbeat& heartbeat) {
  const Density empty{DensityRaster(frame.width(), frame.height())};
  tbb::enumerable_thread_specific<Density> densities(empty);
  const std::size_t block = std::max<std::size_t>(4096, data.size() / 64);
  for (std::size_t begin = 0; begin < data.size(); begin += block) {
    const std::size_t end = std::min(data.size(), begin + block);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end), [&](const auto& range) {
      Pulse pulse(heartbeat);
      Density& density = densities.local();
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        add(density, data[i].points, frame, pulse);
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

}  // namespace tsmini
