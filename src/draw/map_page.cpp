#include "draw/map_page.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/amounts.h"
#include "draw/colour.h"
#include "draw/map_parts.h"
#include "draw/png.h"
#include "draw/stroke.h"
#include "draw/svg.h"

namespace tsmini {
namespace {

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
  svg.open("g",
           {{"fill", hex_of(night_page.faint_ink)}, {"font-size", 11}, {"text-anchor", "middle"}});
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
           {{"width", width}, {"height", height}, {"rx", 10}, {"fill", hex_of(night_page.page)}});
  svg.open("g", {{"font-family", page_fonts}, {"fill", hex_of(night_page.ink)}});

  std::string counts =
      counted(map.trajectories, "trajectory") + " · " + counted(map.points, "point");
  std::string title = map.title;
  if (title.empty()) std::swap(title, counts);
  svg.text(place.x, 38, title, {{"font-size", 20}, {"font-weight", 600}});
  svg.text(place.x, 60, counts, {{"font-size", 13}, {"fill", hex_of(night_page.faint_ink)}});

  add_image(svg, map.image, place);
  add_axes(svg, place, below, beside, night_page);
  add_scale_bar(svg, map.frame, place, night_page);
  add_legend(svg, map.tone, place.right(), place.bottom() + 36);
  svg.text(place.x, place.bottom() + 44, outside_note(map),
           {{"font-size", 11}, {"fill", hex_of(night_page.faint_ink)}});
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
       {std::pair{background_colour, 3.2 * unit}, std::pair{night_page.ink, 1.0 * unit}}) {
    draw_stroke(image, {left_end.x, left_end.y - tick}, left_end, thickness, colour);
    draw_stroke(image, left_end, right_end, thickness, colour);
    draw_stroke(image, right_end, {right_end.x, right_end.y - tick}, thickness, colour);
    draw_characters(image, text_corner, bar.label, unit, thickness, colour);
  }
  return png_from(image);
}

}  // namespace tsmini
