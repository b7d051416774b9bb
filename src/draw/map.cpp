#include "tsmini/map.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/heartbeat.h"

#include "base/file.h"
#include "base/text.h"
#include "data/central_box.h"
#include "draw/density.h"
#include "draw/extent.h"
#include "draw/map_content.h"
#include "draw/map_html.h"
#include "draw/map_page.h"

namespace tsmini {
namespace {

constexpr double central_share = 0.99;
constexpr double dwarfed_below = 0.05;

enum class FileKind { svg, png, html };

FileKind kind_of(const std::filesystem::path& out) {
  const std::string ending = lower_case(out.extension().string());
  if (ending == ".svg") return FileKind::svg;
  if (ending == ".png") return FileKind::png;
  if (ending == ".html" || ending == ".htm") return FileKind::html;
  throw Error(ErrorCode::usage, fmt::format("{}: cannot draw this kind of file", out.string()),
              "end the name with .svg, .png or .html", "output");
}

Coordinates coordinates_of(const Map& map) {
  return map.ground.size() > 0 ? map.ground.info().coordinates : map.coordinates;
}

void check(const Map& map) {
  if (map.width < 480 || map.width > 4096) {
    throw Error(ErrorCode::usage, fmt::format("a map cannot be {} pixels wide", map.width),
                "choose 480 to 4096", "width");
  }
  const auto is_known = [&](std::uint32_t line) {
    return line < map.lines.size() || line == Map::no_line;
  };
  const std::vector<std::uint32_t>& of_trip = map.line_of_trip;
  if ((!of_trip.empty() && of_trip.size() != map.ground.size()) ||
      !std::all_of(of_trip.begin(), of_trip.end(), is_known)) {
    throw Error(ErrorCode::usage, "trips of a map belong to lines that it does not have",
                "give each trip of the ground a place among the lines, or no_line", "line_of_trip");
  }
  if (!map.shown) return;
  const Box& box = *map.shown;
  const bool finite = std::isfinite(box.min_lon) && std::isfinite(box.min_lat) &&
                      std::isfinite(box.max_lon) && std::isfinite(box.max_lat);
  if (finite && box.min_lon <= box.max_lon && box.min_lat <= box.max_lat) return;
  throw Error(ErrorCode::usage,
              fmt::format("a map cannot show from {}, {} to {}, {}", box.min_lon, box.min_lat,
                          box.max_lon, box.max_lat),
              "give the smaller longitude and latitude first", "shown");
}

Extent extent_of_lines(std::span<const MapLine> lines) {
  Extent extent;
  for (const MapLine& line : lines) {
    for (const Position& p : line.trip.points) extent.add(p);
  }
  return extent;
}

Box whole_extent(const Map& map, const Heartbeat& heartbeat) {
  Extent extent = extent_of_lines(map.lines);
  extent.add(map.ground, heartbeat);
  if (const auto box = extent.box(coordinates_of(map))) return *box;
  throw Error(ErrorCode::bad_input, "there are no points, so there is nothing to draw",
              "check what the import dropped, and why");
}

double area(const Box& box) {
  return (box.max_lon - box.min_lon) * (box.max_lat - box.min_lat);
}

// The summary, but for the points of the ground that lie outside, which are counted as it is drawn.
MapSummary summary_of(const Map& map, const Frame& frame) {
  MapSummary summary;
  summary.shown = frame.box();
  summary.points = map.ground.point_count();
  for (const MapLine& line : map.lines) {
    summary.points += line.trip.size();
    for (const Position& p : line.trip.points) {
      if (!frame.contains(frame.pixel_of(p))) ++summary.points_outside;
    }
  }
  summary.central = central_box(map.ground, central_share, false)
                        .value_or(extent_of(map.lines, coordinates_of(map)));
  summary.is_dwarfed = !map.shown && area(summary.central) < dwarfed_below * area(frame.asked());
  return summary;
}

std::string still_page(MapContent& content, FileKind kind, const Heartbeat& heartbeat) {
  const GroundDensity density =
      ground_density(content.map.ground, content.tints, content.frame, heartbeat);
  content.summary.points_outside += density.points_outside;
  return map_page(content, density, kind == FileKind::svg ? PageKind::svg : PageKind::png,
                  heartbeat);
}

}  // namespace

MapSummary draw_map(const Map& map, const std::filesystem::path& out, const Progress& progress) {
  const FileKind kind = kind_of(out);
  check(map);
  const Heartbeat heartbeat(progress, map.ground.size());
  const MapStyle style = map.style.value_or(map.lines.empty() ? MapStyle::night : MapStyle::day);
  const Box extent = whole_extent(map, heartbeat);
  const Frame frame(map.shown.value_or(extent), coordinates_of(map), map.width);
  MapContent content{map, style, extent, frame, summary_of(map, frame), GroundTints(map)};
  content.has_all_lines = content.summary.points_outside == 0;
  OutputFile file(out);
  file.write(kind == FileKind::html ? map_html(content, heartbeat)
                                    : still_page(content, kind, heartbeat));
  file.commit();
  return content.summary;
}

MapSummary draw_map(const Dataset& data, const std::filesystem::path& out,
                    const MapOptions& options, const Progress& progress) {
  Map map;
  map.title = options.title;
  map.ground = data;
  map.width = options.width;
  return draw_map(map, out, progress);
}

void check_map_name(const std::filesystem::path& out) {
  kind_of(out);
}

Box shown_box(const Map& map) {
  check(map);
  const Box box = map.shown ? *map.shown : whole_extent(map, {});
  return Frame(box, coordinates_of(map), map.width).box();
}

Box extent_of(std::span<const MapLine> lines, Coordinates coordinates) {
  return extent_of_lines(lines).box(coordinates).value_or(Box{});
}

}  // namespace tsmini
