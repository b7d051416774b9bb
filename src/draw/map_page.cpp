#include "draw/map_page.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "draw/chart_parts.h"
#include "draw/image_surface.h"
#include "draw/map_parts.h"
#include "draw/page_line.h"
#include "draw/svg_surface.h"

namespace tsmini {
namespace {

constexpr int plain_width = 1200;  // of a map; a broader one has everything larger
constexpr double head = 76, right_margin = 28, foot = 76, legend_width = 300;

// Where things are, in units of a pixel of a map that is not too broad.
struct Layout {
  explicit Layout(const MapContent& content)
      : scale(std::max(1.0, static_cast<double>(content.map.width) / plain_width)),
        frame(content.frame.resized(std::min(content.map.width, plain_width))),
        below(marks_below(frame)),
        beside(marks_beside(frame)),
        place{room_for(beside), head, static_cast<double>(frame.width()),
              static_cast<double>(frame.height())},
        width(place.right() + right_margin + (content.map.lines.empty() ? 0 : legend_width)),
        height(place.bottom() + foot) {}

  double scale;
  Frame frame;
  std::vector<Mark> below, beside;
  Place place;
  double width, height;
};

std::unique_ptr<Surface> surface_of(const Layout& layout, PageKind kind) {
  if (kind == PageKind::svg) {
    return std::make_unique<SvgSurface>(layout.width, layout.height, layout.scale);
  }
  return std::make_unique<ImageSurface>(layout.width, layout.height, layout.scale);
}

// Broad lines under narrow ones, of equals the later.
std::vector<std::size_t> drawing_order(const std::vector<MapLine>& lines) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lines[a].width > lines[b].width; });
  return order;
}

// A ring where it begins, a dot where it ends.
void draw_ends(Surface& surface, const PageLine& line, const Rgb& colour, const Rgb& inner) {
  surface.disc(line.first(), 7, colour);
  surface.disc(line.first(), 4, inner);
  surface.disc(line.last(), 6, colour);
}

void draw_badge(Surface& surface, Pixel at, const std::string& text, const Rgb& colour,
                const Rgb& inner) {
  surface.disc(at, 9.25, inner);
  surface.disc(at, 7.75, colour);
  surface.text({at.x, at.y + 3.6}, text,
               {.size = 10, .colour = inner, .anchor = Anchor::middle, .bold = true});
}

// A line's rim tells it from what it lies on; a translucent band has none.
void draw_line(Surface& surface, const Path& path, const MapLine& line, const Rgb& colour,
               const Rgb& rim) {
  constexpr double solid = 0.6;
  if (line.opacity > solid) surface.stroke(path, {rim, line.width + 2, 0.6});
  surface.stroke(path, {colour, line.width, line.opacity});
}

// Badges are spread along the lines, which lie upon each other where answers are good.
void draw_badges(Surface& surface, const MapContent& content, const std::vector<PageLine>& paths) {
  const std::vector<MapLine>& lines = content.map.lines;
  std::vector<std::size_t> badged;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].badge.empty() && !paths[i].empty()) badged.push_back(i);
  }
  const Rgb& inner = page_colours(content.style).map;
  for (std::size_t k = badged.size(); k-- > 0;) {
    const std::size_t i = badged[k];
    const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(badged.size());
    draw_badge(surface, paths[i].at(share), lines[i].badge, line_colour(lines[i], i, content.style),
               inner);
  }
}

void draw_lines(Surface& surface, const MapContent& content, const Layout& layout,
                const Heartbeat& heartbeat) {
  const std::vector<MapLine>& lines = content.map.lines;
  const Rgb& inner = page_colours(content.style).map;
  std::vector<PageLine> paths;
  paths.reserve(lines.size());
  for (const MapLine& line : lines) paths.emplace_back(line.trip, layout.frame, layout.place);
  const std::vector<std::size_t> order = drawing_order(lines);
  surface.clip(layout.place);
  for (const std::size_t i : order) {
    heartbeat.beat();
    draw_line(surface, paths[i].path(), lines[i], line_colour(lines[i], i, content.style), inner);
  }
  for (const std::size_t i : order) {
    if (!lines[i].ends || paths[i].empty()) continue;
    draw_ends(surface, paths[i], line_colour(lines[i], i, content.style), inner);
  }
  draw_badges(surface, content, paths);
  surface.unclip();
}

void draw_legend_entry(Surface& surface, const MapContent& content, std::size_t i, Pixel at) {
  const MapLine& line = content.map.lines[i];
  const PageColours& colours = page_colours(content.style);
  const Rgb colour = line_colour(line, i, content.style);
  const double width = legend_width - 62;
  if (line.badge.empty()) {
    surface.stroke({{{at.x - 7, at.y}, {at.x + 7, at.y}}},
                   {colour, std::min(line.width, 11.0), line.opacity});
  } else {
    draw_badge(surface, at, line.badge, colour, colours.map);
  }
  const std::string note = fitted(line.note, 0.6 * width, 12, Kept::beginning);
  const double room = width - (note.empty() ? 0 : drawn_width(note, 12) + 10);
  surface.text({at.x + 22, at.y + 4}, fitted(label_of(line), room, 12, Kept::end),
               {.size = 12, .colour = colours.ink, .bold = line.ends});
  surface.text({at.x + 22 + width, at.y + 4}, note,
               {.size = 12, .colour = colours.faint_ink, .anchor = Anchor::end});
}

void draw_legend(Surface& surface, const MapContent& content, const Place& place) {
  constexpr double step = 22;
  const std::size_t count = content.map.lines.size();
  const Pixel top{place.right() + 36, place.y + 14};
  const auto room = static_cast<std::size_t>((place.bottom() - top.y) / step);
  const std::size_t shown = count <= room ? count : room - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    draw_legend_entry(surface, content, i, {top.x, top.y + step * static_cast<double>(i)});
  }
  if (shown == count) return;
  surface.text({top.x + 22, top.y + 4 + step * static_cast<double>(shown)},
               fmt::format("and {} more", count - shown),
               {.size = 12, .colour = page_colours(content.style).faint_ink});
}

// Tints lie upon the other trips.
Image ground_image(const MapContent& content, const GroundDensity& density, const Tone& tone,
                   const GroundColours& colours) {
  Image image = tone.image_of(density.plain, colours);
  if (content.tints.count() == 0) return image;
  const Tone tinted(density.tinted);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t tint = density.tint_at(x, y);
      if (tint == 0) continue;
      image.at(x, y) = blended(image.at(x, y), content.tints.colour(tint, content.style),
                               tint_strength(density.tinted.density(x, y), tinted));
    }
  }
  return image;
}

void draw_headlines(Surface& surface, const MapContent& content, const Layout& layout) {
  const PageColours& colours = page_colours(content.style);
  const Headlines lines = headlines_of(content.map);
  const double room = layout.width - layout.place.x - right_margin;
  surface.text({layout.place.x, 38}, fitted(lines.title, room, 20, Kept::beginning),
               {.size = 20, .colour = colours.ink, .bold = true});
  surface.text({layout.place.x, 60}, fitted(lines.subtitle, room, 13, Kept::beginning),
               {.size = 13, .colour = colours.faint_ink});
}

}  // namespace

std::string map_page(const MapContent& content, const GroundDensity& density, PageKind kind,
                     const Heartbeat& heartbeat) {
  const Layout layout(content);
  const bool has_lines = !content.map.lines.empty();
  const PageColours& colours = page_colours(content.style);
  const GroundColours ground = ground_colours(content.style, has_lines);
  const Tone tone(density.plain);
  const std::unique_ptr<Surface> surface = surface_of(layout, kind);
  surface->fill({0, 0, layout.width, layout.height}, colours.page);
  draw_headlines(*surface, content, layout);
  surface->picture(layout.place, ground_image(content, density, tone, ground));
  heartbeat.beat();
  draw_axes(*surface, layout.place, layout.below, layout.beside, colours);
  draw_lines(*surface, content, layout, heartbeat);
  draw_scale_bar(*surface, layout.frame, layout.place, colours);
  if (has_lines) draw_legend(*surface, content, layout.place);
  if (!has_lines || content.style == MapStyle::night) {
    draw_densities(*surface, tone, ground, {layout.place.right(), layout.place.bottom() + 36},
                   colours);
  }
  surface->text({layout.place.x, layout.place.bottom() + 44}, outside_note(content),
                {.size = 11, .colour = colours.faint_ink});
  return surface->finish();
}

}  // namespace tsmini
