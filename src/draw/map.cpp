#include "tsmini/map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "base/file.h"
#include "base/text.h"
#include "draw/frame.h"
#include "draw/map_page.h"
#include "draw/raster.h"
#include "draw/tone.h"

namespace tsmini {
namespace {

struct Canvas {
  DensityRaster raster;
  std::uint64_t points_outside = 0;

  void add(const Trajectory& trajectory, const Frame& frame) {
    if (trajectory.points.empty()) return;
    const Pixel first = frame.pixel_of(trajectory.points.front());
    Pixel previous = first;
    double length = 0;
    for (const Position& position : trajectory.points) {
      const Pixel next = frame.pixel_of(position);
      if (!frame.contains(next)) ++points_outside;
      raster.add_line(previous, next);
      length += std::hypot(next.x - previous.x, next.y - previous.y);
      previous = next;
    }
    if (length < 1) raster.add_dot(first);
  }

  void merge(const Canvas& other) {
    raster.merge(other.raster);
    points_outside += other.points_outside;
  }
};

// One canvas per thread, all of integers: their sum does not depend on who drew what.
Canvas drawn(const Dataset& data, const Frame& frame, const Progress& progress) {
  const Canvas empty{DensityRaster(frame.width(), frame.height())};
  tbb::enumerable_thread_specific<Canvas> canvases(empty);
  const std::size_t block = std::max<std::size_t>(4096, data.size() / 64);
  for (std::size_t begin = 0; begin < data.size(); begin += block) {
    const std::size_t end = std::min(data.size(), begin + block);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end), [&](const auto& range) {
      Canvas& canvas = canvases.local();
      for (std::size_t i = range.begin(); i < range.end(); ++i) canvas.add(data[i], frame);
    });
    if (progress) progress({end, data.size()});
  }
  Canvas sum = empty;
  canvases.combine_each([&](const Canvas& canvas) { sum.merge(canvas); });
  return sum;
}

}  // namespace

void draw_map(const Dataset& data, const std::filesystem::path& out, const MapOptions& options,
              const Progress& progress) {
  const std::string ending = lower_case(out.extension().string());
  if (ending != ".svg" && ending != ".png") {
    throw Error(ErrorCode::usage, fmt::format("{}: cannot draw this kind of file", out.string()),
                "end the name with .svg or .png");
  }
  if (options.width < 480 || options.width > 4096) {
    throw Error(ErrorCode::usage, fmt::format("a map cannot be {} pixels wide", options.width),
                "choose 480 to 4096");
  }
  const Frame frame(data, options.width);
  OutputFile file(out);
  const Canvas canvas = drawn(data, frame, progress);
  const Tone tone(canvas.raster);
  const MapContent map{.frame = frame,
                       .tone = tone,
                       .image = tone.image_of(canvas.raster),
                       .title = options.title,
                       .trajectories = data.size(),
                       .points = data.point_count(),
                       .points_outside = canvas.points_outside};
  file.write(ending == ".svg" ? svg_page(map) : png_page(map));
  file.commit();
}

}  // namespace tsmini
