#include "draw/map_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "draw/axis.h"
#include "draw/colour.h"
#include "draw/png.h"

namespace tsmini {
namespace {

int label_count(int pixels) {
  return std::max(3, pixels / 150);
}

}  // namespace

ScaleBar scale_bar_of(const Frame& frame) {
  const double length = round_below(0.2 * frame.width() * frame.length_per_pixel());
  return {length / frame.length_per_pixel(),
          frame.degrees() ? metres_label(length) : fmt::format("{:g}", length)};
}

std::vector<Mark> marks_below(const Frame& frame) {
  const Box box = frame.box();
  std::vector<Mark> marks;
  for (const Tick& tick : ticks_between(box.min_lon, box.max_lon, label_count(frame.width()))) {
    marks.push_back({(tick.value - box.min_lon) / (box.max_lon - box.min_lon) * frame.width(),
                     frame.degrees() ? longitude_label(tick) : number_label(tick)});
  }
  return marks;
}

std::vector<Mark> marks_beside(const Frame& frame) {
  const Box box = frame.box();
  std::vector<Mark> marks;
  for (const Tick& tick : ticks_between(box.min_lat, box.max_lat, label_count(frame.height()))) {
    if (frame.degrees() && std::abs(tick.value) > 90) continue;
    marks.push_back({(box.max_lat - tick.value) / (box.max_lat - box.min_lat) * frame.height(),
                     frame.degrees() ? latitude_label(tick) : number_label(tick)});
  }
  return marks;
}

double room_for(const std::vector<Mark>& marks) {
  std::size_t longest = 0;
  for (const Mark& mark : marks) longest = std::max(longest, mark.label.size());
  constexpr double character = 6.5;
  return std::max(60.0, std::ceil(18 + character * static_cast<double>(longest)));
}

void add_image(Svg& svg, const Image& image, const Place& place) {
  svg.leaf("image", {{"x", place.x},
                     {"y", place.y},
                     {"width", place.width},
                     {"height", place.height},
                     {"href", "data:image/png;base64," + base64(png_from(image))}});
}

void add_axes(Svg& svg, const Place& place, const std::vector<Mark>& below,
              const std::vector<Mark>& beside, const PageColours& colours) {
  constexpr double tick_length = 5;
  const auto add_line = [&](double x1, double y1, double x2, double y2, double opacity) {
    svg.leaf("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {"stroke-opacity", opacity}});
  };
  svg.open("g", {{"stroke", hex_of(colours.line)},
                 {"fill", hex_of(colours.faint_ink)},
                 {"font-size", 11},
                 {"shape-rendering", "crispEdges"}});
  for (const Mark& mark : below) {
    const double x = place.x + mark.at;
    add_line(x, place.y, x, place.bottom(), 0.07);
    add_line(x, place.bottom(), x, place.bottom() + tick_length, 0.4);
    svg.text(x, place.bottom() + 19, mark.label, {{"stroke", "none"}, {"text-anchor", "middle"}});
  }
  for (const Mark& mark : beside) {
    const double y = place.y + mark.at;
    add_line(place.x, y, place.right(), y, 0.07);
    add_line(place.x - tick_length, y, place.x, y, 0.4);
    svg.text(place.x - 9, y + 4, mark.label, {{"stroke", "none"}, {"text-anchor", "end"}});
  }
  svg.leaf("rect", {{"x", place.x},
                    {"y", place.y},
                    {"width", place.width},
                    {"height", place.height},
                    {"fill", "none"},
                    {"stroke-opacity", 0.25}});
  svg.close();
}

void add_scale_bar(Svg& svg, const Frame& frame, const Place& place, const PageColours& colours) {
  const ScaleBar bar = scale_bar_of(frame);
  const double x = place.x + 20;
  const double y = place.bottom() - 20;
  const std::string path = fmt::format("M{0:.1f} {1:.1f}v6h{2:.1f}v-6", x, y - 6, bar.pixels);
  for (const auto& [colour, width] : {std::pair{colours.map, 5.0}, std::pair{colours.ink, 1.5}}) {
    svg.leaf("path", {{"d", path},
                      {"fill", "none"},
                      {"stroke", hex_of(colour)},
                      {"stroke-width", width},
                      {"stroke-linecap", "square"}});
  }
  svg.text(x + bar.pixels / 2, y - 11, bar.label,
           {{"text-anchor", "middle"},
            {"fill", hex_of(colours.ink)},
            {"font-size", 12},
            {"stroke", hex_of(colours.map)},
            {"stroke-width", 4},
            {"paint-order", "stroke"}});
}

}  // namespace tsmini
