#include "draw/html_ground.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/trajectory.h"

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
  PlanarBox box;
  for (const Position& position : points) {
    const Pixel p = frame.pixel_of(position);
    box.add(Planar{p.x, p.y});
    if (!frame.contains(p)) ++sight.points_outside;
    pulse.work(1);
  }
  sight.seen =
      box.low.x < frame.width() && box.high.x > 0 && box.low.y < frame.height() && box.high.y > 0;
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

struct Coded {
  std::string trips, lines;
};

// Every `stride`-th trip, unless it takes more than `most` bytes.
std::optional<Coded> coded(const Map& map, const Seen& seen, std::size_t stride, std::size_t most,
                           const TripGrid& grid, const Heartbeat& heartbeat) {
  TripCode code(grid);
  std::string lines;
  Pulse pulse(heartbeat);
  for (std::size_t i = 0; i < seen.trips.size(); i += stride) {
    const std::size_t trip = seen.trips[i];
    const std::span<const Position> points = map.ground[trip].points;
    if (points.size() > most) return std::nullopt;
    code.add(points);
    if (!map.line_of_trip.empty()) {
      const std::uint32_t line = map.line_of_trip[trip];
      append_coded(lines, line == Map::no_line ? 0 : std::uint64_t{line} + 1);
    }
    if (code.bytes().size() + lines.size() > most) return std::nullopt;
    pulse.work(4 * points.size());
  }
  return Coded{code.bytes(), std::move(lines)};
}

// `level_at(x, y)` is from 0 to 255.
template <class LevelAt>
GreyImage image_of(const DensityRaster& raster, const LevelAt& level_at) {
  GreyImage image{raster.width(), raster.height(), {}};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      image.levels.push_back(static_cast<std::uint8_t>(std::lround(level_at(x, y))));
    }
  }
  return image;
}

// The image at half its size: each pixel is `joined` of four.
template <class Joined>
GreyImage halved(const GreyImage& image, const Joined& joined) {
  GreyImage half{image.width / 2, image.height / 2, {}};
  const auto width = static_cast<std::size_t>(image.width);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      const std::size_t at =
          2 * static_cast<std::size_t>(y) * width + 2 * static_cast<std::size_t>(x);
      half.levels.push_back(joined(image.levels[at], image.levels[at + 1], image.levels[at + width],
                                   image.levels[at + width + 1]));
    }
  }
  return half;
}

std::uint8_t mean_of(int a, int b, int c, int d) {
  return static_cast<std::uint8_t>((a + b + c + d + 2) / 4);
}

// The first tint of four that there is: tints have no mean.
std::uint8_t first_of(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  for (const std::uint8_t tint : {a, b, c}) {
    if (tint > 0) return tint;
  }
  return d;
}

// The image, halved until it takes at most so many bytes.
template <class Joined>
std::string png_within(std::size_t most, GreyImage image, const Joined& joined) {
  std::string png = png_from(image);
  while (png.size() > most) {
    image = halved(image, joined);
    png = png_from(image);
  }
  return png;
}

HtmlGround::Raster raster_of(const MapContent& content, const Frame& frame,
                             const Heartbeat& heartbeat) {
  const GroundDensity density = ground_density(content.map.ground, content.tints, frame, heartbeat);
  heartbeat.beat();
  const Tone tone(density.plain);
  HtmlGround::Raster raster{frame, {}};
  const bool is_tinted = content.tints.count() > 0;
  const std::size_t most = is_tinted ? most_picture / 2 : most_picture;
  const auto level_at = [&](int x, int y) {
    return 255 * std::min(1.0, tone.level_of(density.plain.density(x, y)));
  };
  raster.levels = png_within(most, image_of(density.plain, level_at), mean_of);
  if (!is_tinted) return raster;
  const Tone tinted(density.tinted);
  const auto strength_at = [&](int x, int y) {
    return 255 * tint_strength(density.tinted.density(x, y), tinted);
  };
  const auto tint_at = [&](int x, int y) { return static_cast<double>(density.tint_at(x, y)); };
  raster.strengths = png_within(most, image_of(density.plain, strength_at), mean_of);
  raster.tints = png_within(most, image_of(density.plain, tint_at), first_of);
  return raster;
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
    if (auto all = coded(content.map, seen, 1, most_whole, grid, heartbeat)) {
      ground.trips = std::move(all->trips);
      ground.lines = std::move(all->lines);
      ground.trips_coded = seen.trips.size();
      heartbeat.advance(data.size());
      return ground;
    }
  }
  for (std::size_t stride = 2; stride < 2 * seen.trips.size(); stride *= 2) {
    auto some = coded(content.map, seen, stride, most_sampled, grid, heartbeat);
    if (!some) continue;
    ground.trips = std::move(some->trips);
    ground.lines = std::move(some->lines);
    ground.trips_coded = (seen.trips.size() + stride - 1) / stride;
    break;
  }
  ground.rasters.push_back(raster_of(content, content.frame.resized(picture_width), heartbeat));
  if (content.summary.is_dwarfed) {
    const Frame bulk(content.summary.central, data.info().coordinates, picture_width);
    const Heartbeat unchanged([&](const ProgressState&) { heartbeat.beat(); });
    ground.rasters.push_back(raster_of(content, bulk, unchanged));
  }
  return ground;
}

}  // namespace tsmini
