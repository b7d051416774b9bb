#include "draw/html_ground.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "base/pulse.h"
#include "draw/density.h"
#include "draw/png.h"
#include "draw/tone.h"

namespace tsmini {
namespace {

constexpr std::size_t most_whole = 6'500'000, most_sampled = 3'500'000, most_picture = 1'500'000;
constexpr int picture_width = 2400;

// Whether a trip can be seen in the frame, and how many of its points lie outside.
struct Sight {
  bool seen = false;
  std::uint64_t points_outside = 0;
};

Sight sight_of(std::span<const Position> points, const Frame& frame, Pulse& pulse) {
  Sight sight;
  double left = frame.width(), right = 0, top = frame.height(), bottom = 0;
  for (const Position& position : points) {
    const Pixel p = frame.pixel_of(position);
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
    if (!frame.contains(p)) ++sight.points_outside;
    pulse.work(1);
  }
  sight.seen = left < frame.width() && right > 0 && top < frame.height() && bottom > 0;
  return sight;
}

struct Seen {
  std::vector<std::size_t> trips;
  std::uint64_t points = 0, points_outside = 0;
};

Seen seen_in(const Dataset& data, const Frame& frame, const Heartbeat& heartbeat) {
  std::vector<Sight> sights(data.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, data.size()), [&](const auto& range) {
    Pulse pulse(heartbeat);
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      sights[i] = sight_of(data[i].points, frame, pulse);
    }
  });
  Seen seen;
  for (std::size_t i = 0; i < sights.size(); ++i) {
    seen.points_outside += sights[i].points_outside;
    if (!sights[i].seen) continue;
    seen.trips.push_back(i);
    seen.points += data[i].size();
  }
  return seen;
}

// Every `stride`-th trip, unless it takes more than `most` bytes.
std::optional<std::string> coded(const Dataset& data, const Seen& seen, std::size_t stride,
                                 std::size_t most, const TripGrid& grid,
                                 const Heartbeat& heartbeat) {
  TripCode code(grid);
  Pulse pulse(heartbeat);
  for (std::size_t i = 0; i < seen.trips.size(); i += stride) {
    const std::span<const Position> points = data[seen.trips[i]].points;
    if (points.size() > most) return std::nullopt;
    code.add(points);
    if (code.bytes().size() > most) return std::nullopt;
    pulse.work(4 * points.size());
  }
  return code.bytes();
}

GreyImage levels_of(const DensityRaster& raster) {
  const Tone tone(raster);
  GreyImage image{raster.width(), raster.height(), {}};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const double level = std::min(1.0, tone.level_of(raster.density(x, y)));
      image.levels.push_back(static_cast<std::uint8_t>(std::lround(255 * level)));
    }
  }
  return image;
}

GreyImage halved(const GreyImage& image) {
  GreyImage half{image.width / 2, image.height / 2, {}};
  const auto width = static_cast<std::size_t>(image.width);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      const std::size_t at =
          2 * static_cast<std::size_t>(y) * width + 2 * static_cast<std::size_t>(x);
      const int sum = image.levels[at] + image.levels[at + 1] + image.levels[at + width] +
                      image.levels[at + width + 1];
      half.levels.push_back(static_cast<std::uint8_t>((sum + 2) / 4));
    }
  }
  return half;
}

HtmlGround::Raster raster_of(const Dataset& data, const Frame& frame, const Heartbeat& heartbeat) {
  GreyImage image = levels_of(density_of(data, frame, heartbeat).raster);
  heartbeat.beat();
  std::string png = png_from(image);
  while (png.size() > most_picture) {
    image = halved(image);
    png = png_from(image);
  }
  return {frame, std::move(png)};
}

}  // namespace

HtmlGround html_ground(const MapContent& content, const TripGrid& grid,
                       const Heartbeat& heartbeat) {
  const Dataset& data = content.map.ground;
  const Seen seen = seen_in(data, content.frame, heartbeat);
  HtmlGround ground;
  ground.trips_in_frame = seen.trips.size();
  ground.points_outside = seen.points_outside;
  if (seen.points <= most_whole) {
    if (auto all = coded(data, seen, 1, most_whole, grid, heartbeat)) {
      ground.trips = std::move(*all);
      ground.trips_coded = seen.trips.size();
      heartbeat.advance(data.size());
      return ground;
    }
  }
  for (std::size_t stride = 2; stride < 2 * seen.trips.size(); stride *= 2) {
    auto some = coded(data, seen, stride, most_sampled, grid, heartbeat);
    if (!some) continue;
    ground.trips = std::move(*some);
    ground.trips_coded = (seen.trips.size() + stride - 1) / stride;
    break;
  }
  ground.rasters.push_back(raster_of(data, content.frame.resized(picture_width), heartbeat));
  if (content.summary.is_dwarfed) {
    const Frame bulk(content.summary.central, data.info().coordinates, picture_width);
    const Heartbeat unchanged([&](const ProgressState&) { heartbeat.beat(); });
    ground.rasters.push_back(raster_of(data, bulk, unchanged));
  }
  return ground;
}

}  // namespace tsmini
