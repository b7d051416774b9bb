#include "draw/map_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "base/utf8.h"
#include "draw/axis.h"
#include "draw/chart_parts.h"

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

std::string fitted(std::string_view text, double width, double size, Kept kept) {
  if (drawn_width(text, size) <= width) return std::string(text);
  const bool at_front = kept == Kept::end;
  do {
    if (at_front) {
      text.remove_prefix(1);
    } else {
      text.remove_suffix(1);
    }
    while (at_front && !text.empty() && !begins_character(text.front())) text.remove_prefix(1);
  } while (!text.empty() && drawn_width(text, size) + drawn_width("…", size) > width);
  while (!at_front && !text.empty() && !begins_character(text.back())) text.remove_suffix(1);
  return at_front ? fmt::format("…{}", text) : fmt::format("{}…", text);
}

void draw_axes(Surface& surface, const Place& place, const std::vector<Mark>& below,
               const std::vector<Mark>& beside, const PageColours& colours) {
  constexpr double tick_length = 5;
  const auto draw_line = [&](Pixel from, Pixel to, double opacity) {
    surface.stroke({{from, to}}, {colours.line, 1, opacity});
  };
  const auto on_pixels = [](double value) { return std::floor(value) + 0.5; };
  for (const Mark& mark : below) {
    const double x = on_pixels(place.x + mark.at);
    draw_line({x, place.y}, {x, place.bottom()}, 0.07);
    draw_line({x, place.bottom()}, {x, place.bottom() + tick_length}, 0.4);
    surface.text({x, place.bottom() + 19}, mark.label,
                 {.size = 11, .colour = colours.faint_ink, .anchor = Anchor::middle});
  }
  for (const Mark& mark : beside) {
    const double y = on_pixels(place.y + mark.at);
    draw_line({place.x, y}, {place.right(), y}, 0.07);
    draw_line({place.x - tick_length, y}, {place.x, y}, 0.4);
    surface.text({place.x - 9, y + 4}, mark.label,
                 {.size = 11, .colour = colours.faint_ink, .anchor = Anchor::end});
  }
  const double left = place.x - 0.5, top = place.y - 0.5;
  const double right = place.right() + 0.5, bottom = place.bottom() + 0.5;
  surface.stroke({{{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}},
                 {colours.line, 1, 0.25});
}

void draw_scale_bar(Surface& surface, const Frame& frame, const Place& place,
                    const PageColours& colours) {
  const ScaleBar bar = scale_bar_of(frame);
  const double left = std::floor(place.x + 20) + 0.5, y = std::floor(place.bottom() - 20) + 0.5;
  const double right = left + bar.pixels;
  const Path path{{{left, y - 6}, {left, y}, {right, y}, {right, y - 6}}};
  surface.stroke(path, {colours.map, 5});
  surface.stroke(path, {colours.ink, 1.5});
  surface.text({left + bar.pixels / 2, y - 11}, bar.label,
               {.size = 12, .colour = colours.ink, .anchor = Anchor::middle, .halo = colours.map});
}

void draw_densities(Surface& surface, const Tone& tone, std::span<const Rgb> scale, Pixel corner,
                    const PageColours& colours) {
  const Place place{corner.x - 190, corner.y, 190, 8};
  const double below = place.bottom() + 14;
  const auto draw_text = [&](Pixel at, std::string_view text, Anchor anchor) {
    surface.text(at, text, {.size = 11, .colour = colours.faint_ink, .anchor = anchor});
  };
  surface.gradient(place, scale);
  draw_text({place.x - 12, place.bottom()}, "trips per pixel", Anchor::end);
  draw_text({place.x, below}, "0", Anchor::middle);
  for (double density = 1; tone.level_of(density) <= 1; density *= 10) {
    const double x = place.x + tone.level_of(density) * place.width;
    surface.stroke({{{x, place.bottom()}, {x, place.bottom() + 4}}}, {colours.line, 1, 0.4});
    draw_text({x, below}, fmt::format("{:g}", density), Anchor::middle);
  }
}

}  // namespace tsmini
