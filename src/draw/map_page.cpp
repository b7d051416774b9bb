#include "draw/map_page.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "draw/axis.h"
#include "draw/colour.h"
#include "draw/png.h"
#include "draw/stroke.h"
#include "draw/svg.h"

namespace tsmini {
namespace {

constexpr Rgb page_colour{18, 16, 26};
constexpr Rgb ink{236, 233, 242};
constexpr Rgb faint_ink{158, 152, 172};
constexpr std::string_view fonts = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

struct ScaleBar {
  double pixels;
  std::string label;
};

ScaleBar scale_bar_of(const Frame& frame) {
  const double length = round_below(0.2 * frame.width() * frame.length_per_pixel());
  return {length / frame.length_per_pixel(),
          frame.degrees() ? metres_label(length) : fmt::format("{:g}", length)};
}

// The map's corner on the page and its size.
struct Place {
  double x, y, width, height;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

void add_image(Svg& svg, const Image& image, const Place& place) {
  svg.leaf("image", {{"x", place.x},
                     {"y", place.y},
                     {"width", place.width},
                     {"height", place.height},
                     {"href", "data:image/png;base64," + base64(png_from(image))}});
}

// A labelled place on an edge, in pixels from the map's left or top.
struct Mark {
  double at;
  std::string label;
};

int label_count(int pixels) {
  return std::max(3, pixels / 150);
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

void add_axes(Svg& svg, const Place& place, const std::vector<Mark>& below,
              const std::vector<Mark>& beside) {
  constexpr double tick_length = 5;
  const auto add_line = [&](double x1, double y1, double x2, double y2, double opacity) {
    svg.leaf("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {"stroke-opacity", opacity}});
  };
  svg.open("g", {{"stroke", "#ffffff"},
                 {"fill", hex_of(faint_ink)},
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

void add_scale_bar(Svg& svg, const Frame& frame, const Place& place) {
  const ScaleBar bar = scale_bar_of(frame);
  const double x = place.x + 20;
  const double y = place.bottom() - 20;
  const std::string path = fmt::format("M{0:.1f} {1:.1f}v6h{2:.1f}v-6", x, y - 6, bar.pixels);
  for (const auto& [colour, width] : {std::pair{background_colour, 5.0}, std::pair{ink, 1.5}}) {
    svg.leaf("path", {{"d", path},
                      {"fill", "none"},
                      {"stroke", hex_of(colour)},
                      {"stroke-width", width},
                      {"stroke-linecap", "square"}});
  }
  svg.text(x + bar.pixels / 2, y - 11, bar.label,
           {{"text-anchor", "middle"},
            {"fill", hex_of(ink)},
            {"font-size", 12},
            {"stroke", hex_of(background_colour)},
            {"stroke-width", 4},
            {"paint-order", "stroke"}});
}

// The colours with the decades of the logarithmic scale, ending at `right`.
void add_legend(Svg& svg, const Tone& tone, double right, double y) {
  constexpr double width = 190;
  constexpr double height = 8;
  const double x = right - width;
  svg.open("defs", {});
  svg.open("linearGradient", {{"id", "densities"}});
  for (std::size_t i = 0; i < density_colours.size(); ++i) {
    svg.leaf("stop", {{"offset", static_cast<double>(i) / (density_colours.size() - 1)},
                      {"stop-color", hex_of(density_colours[i])}});
  }
  svg.close();
  svg.close();
  svg.open("g", {{"fill", hex_of(faint_ink)}, {"font-size", 11}, {"text-anchor", "middle"}});
  svg.text(x - 12, y + height, "trips per pixel", {{"text-anchor", "end"}});
  svg.leaf("rect", {{"x", x},
                    {"y", y},
                    {"width", width},
                    {"height", height},
                    {"rx", 2},
                    {"fill", "url(#densities)"},
                    {"stroke", "#ffffff"},
                    {"stroke-opacity", 0.25}});
  svg.text(x, y + 22, "0", {});
  for (double density = 1; tone.level_of(density) <= 1; density *= 10) {
    const double at = x + tone.level_of(density) * width;
    svg.leaf("line", {{"x1", at},
                      {"y1", y + height},
                      {"x2", at},
                      {"y2", y + height + 4},
                      {"stroke", "#ffffff"},
                      {"stroke-opacity", 0.4}});
    svg.text(at, y + 22, fmt::format("{:g}", density), {});
  }
  svg.close();
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_thousands(number), number == 1 ? one : many);
}

std::string outside_note(const MapContent& map) {
  if (map.points_outside == 0) return "all points lie inside the frame";
  const double percent =
      100 * static_cast<double>(map.points_outside) / static_cast<double>(map.points);
  return fmt::format("{} of {} points ({:.2g} %) lie outside the frame",
                     with_thousands(map.points_outside), with_thousands(map.points), percent);
}

}  // namespace

std::string svg_page(const MapContent& map) {
  const std::vector<Mark> below = marks_below(map.frame);
  const std::vector<Mark> beside = marks_beside(map.frame);
  const Place place{room_for(beside), 76, static_cast<double>(map.image.width),
                    static_cast<double>(map.image.height)};
  const double width = place.right() + 28;
  const double height = place.bottom() + 76;
  Svg svg(width, height);
  svg.leaf("rect",
           {{"width", width}, {"height", height}, {"rx", 10}, {"fill", hex_of(page_colour)}});
  svg.open("g", {{"font-family", fonts}, {"fill", hex_of(ink)}});

  std::string counts = counted(map.trajectories, "trajectory", "trajectories") + " · " +
                       counted(map.points, "point", "points");
  std::string title = map.title;
  if (title.empty()) std::swap(title, counts);
  svg.text(place.x, 38, title, {{"font-size", 20}, {"font-weight", 600}});
  svg.text(place.x, 60, counts, {{"font-size", 13}, {"fill", hex_of(faint_ink)}});

  add_image(svg, map.image, place);
  add_axes(svg, place, below, beside);
  add_scale_bar(svg, map.frame, place);
  add_legend(svg, map.tone, place.right(), place.bottom() + 36);
  svg.text(place.x, place.bottom() + 44, outside_note(map),
           {{"font-size", 11}, {"fill", hex_of(faint_ink)}});
  return std::move(svg).finish();
}

std::string png_page(const MapContent& map) {
  Image image = map.image;
  const ScaleBar bar = scale_bar_of(map.frame);
  const double unit = std::max(1.5, image.width / 700.0);
  const Pixel right_end{12 * unit + bar.pixels, image.height - 12 * unit};
  const Pixel left_end{12 * unit, right_end.y};
  const double tick = 4 * unit;
  const double text_width = (6 * static_cast<double>(bar.label.size()) - 2) * unit;
  const Pixel text_corner{std::max(left_end.x, (left_end.x + right_end.x - text_width) / 2),
                          left_end.y - 10 * unit};
  for (const auto& [colour, thickness] :
       {std::pair{background_colour, 3.2 * unit}, std::pair{ink, 1.0 * unit}}) {
    draw_stroke(image, {left_end.x, left_end.y - tick}, left_end, thickness, colour);
    draw_stroke(image, left_end, right_end, thickness, colour);
    draw_stroke(image, right_end, {right_end.x, right_end.y - tick}, thickness, colour);
    draw_characters(image, text_corner, bar.label, unit, thickness, colour);
  }
  return png_from(image);
}

}  // namespace tsmini
