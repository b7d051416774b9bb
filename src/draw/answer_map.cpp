#include "draw/answer_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/colour.h"
#include "draw/frame.h"
#include "draw/map_parts.h"
#include "draw/raster.h"
#include "draw/svg.h"
#include "draw/tone.h"

namespace tsmini {
namespace {

constexpr int map_width = 900;
constexpr double legend_width = 300;
constexpr std::size_t most_in_legend = 25;
constexpr Rgb density_ink{96, 104, 128};
// The query is a broad band under its answers.
constexpr double query_width = 11, query_opacity = 0.35;

// From near to far: warm to cool, told apart by hue and lightness; later ranks share the last.
constexpr std::array<Rgb, 10> rank_colours{{{214, 39, 40},
                                            {240, 110, 20},
                                            {224, 159, 0},
                                            {130, 160, 20},
                                            {34, 148, 83},
                                            {0, 146, 156},
                                            {23, 120, 198},
                                            {70, 86, 200},
                                            {130, 70, 190},
                                            {140, 110, 150}}};

const Rgb& colour_of(std::size_t rank) {
  return rank_colours[std::min(rank, rank_colours.size() - 1)];
}

Box box_around(const AnswerMap& map) {
  const Position& first = map.query.points.front();
  Box box{first.lon, first.lat, first.lon, first.lat};
  const auto widen = [&](const Trajectory& trip) {
    for (const Position& p : trip.points) {
      box = {std::min(box.min_lon, p.lon), std::min(box.min_lat, p.lat),
             std::max(box.max_lon, p.lon), std::max(box.max_lat, p.lat)};
    }
  };
  widen(map.query);
  for (const AnswerMap::Answer& answer : map.answers) widen(answer.trip);
  return box;
}

Frame frame_of(const AnswerMap& map) {
  return {box_around(map), map.coordinates, map_width};
}

Image faint_density(const Dataset& data, const Frame& frame) {
  DensityRaster raster(frame.width(), frame.height());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto points = data[i].points;
    for (std::size_t p = 1; p < points.size(); ++p) {
      raster.add_line(frame.pixel_of(points[p - 1]), frame.pixel_of(points[p]));
    }
  }
  const Tone tone(raster);
  Image image(frame.width(), frame.height());
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const double level = std::min(tone.level_of(raster.density(x, y)), 1.0);
      image.at(x, y) = blended(day_page.map, density_ink, 0.45 * level);
    }
  }
  return image;
}

// A trip on the page.
class Line {
 public:
  Line(const Trajectory& trip, const Frame& frame, const Place& place) {
    for (const Position& p : trip.points) {
      const Pixel pixel = frame.pixel_of(p);
      pixels_.push_back({place.x + pixel.x, place.y + pixel.y});
    }
  }

  const Pixel& first() const { return pixels_.front(); }
  const Pixel& last() const { return pixels_.back(); }

  std::string path() const {
    std::string text;
    for (const Pixel& p : pixels_) {
      text += fmt::format("{}{:.1f} {:.1f}", text.empty() ? 'M' : 'L', p.x, p.y);
    }
    return text;
  }

  // After a share of its length.
  Pixel at(double share) const {
    std::vector<double> lengths{0};
    for (std::size_t i = 1; i < pixels_.size(); ++i) {
      lengths.push_back(lengths.back() + std::hypot(pixels_[i].x - pixels_[i - 1].x,
                                                    pixels_[i].y - pixels_[i - 1].y));
    }
    const double wanted = share * lengths.back();
    const auto next = static_cast<std::size_t>(
        std::lower_bound(lengths.begin(), lengths.end(), wanted) - lengths.begin());
    if (next == 0) return pixels_.front();
    const double piece = lengths[next] - lengths[next - 1];
    const double part = piece > 0 ? (wanted - lengths[next - 1]) / piece : 0;
    const Pixel &from = pixels_[next - 1], &to = pixels_[next];
    return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
  }

 private:
  std::vector<Pixel> pixels_;
};

void add_path(Svg& svg, const Line& line, const Rgb& colour, double width, double opacity) {
  svg.leaf("path", {{"d", line.path()},
                    {"fill", "none"},
                    {"stroke", hex_of(colour)},
                    {"stroke-width", width},
                    {"stroke-opacity", opacity},
                    {"stroke-linecap", "round"},
                    {"stroke-linejoin", "round"}});
}

void add_rank(Svg& svg, const Pixel& at, std::size_t rank) {
  svg.leaf("circle", {{"cx", at.x},
                      {"cy", at.y},
                      {"r", 8.5},
                      {"fill", hex_of(colour_of(rank))},
                      {"stroke", hex_of(day_page.map)},
                      {"stroke-width", 1.5}});
  svg.text(
      at.x, at.y + 3.5, std::to_string(rank + 1),
      {{"font-size", 10}, {"font-weight", 700}, {"fill", "#ffffff"}, {"text-anchor", "middle"}});
}

// A ring where it begins, a dot where it ends.
void add_ends(Svg& svg, const Line& line) {
  svg.leaf("circle", {{"cx", line.first().x},
                      {"cy", line.first().y},
                      {"r", 5.5},
                      {"fill", hex_of(day_page.map)},
                      {"stroke", hex_of(day_page.ink)},
                      {"stroke-width", 3}});
  svg.leaf(
      "circle",
      {{"cx", line.last().x}, {"cy", line.last().y}, {"r", 6}, {"fill", hex_of(day_page.ink)}});
}

// Ranks are spread along the lines, which lie upon each other where answers are good.
void add_lines(Svg& svg, const AnswerMap& map, const Frame& frame, const Place& place) {
  std::vector<Line> lines;
  for (const AnswerMap::Answer& answer : map.answers) lines.emplace_back(answer.trip, frame, place);
  const Line query(map.query, frame, place);
  add_path(svg, query, day_page.ink, query_width, query_opacity);
  for (std::size_t rank = lines.size(); rank-- > 0;) {
    add_path(svg, lines[rank], colour_of(rank), 2.5, 0.9);
  }
  add_ends(svg, query);
  for (std::size_t rank = lines.size(); rank-- > 0;) {
    const double share = (static_cast<double>(rank) + 0.5) / static_cast<double>(lines.size());
    add_rank(svg, lines[rank].at(share), rank);
  }
}

std::string shortened(std::string_view id) {
  constexpr std::size_t most = 24;
  if (id.size() <= most) return std::string(id);
  std::size_t begin = id.size() - most + 1;
  while (begin < id.size() && (static_cast<unsigned char>(id[begin]) & 0xc0) == 0x80) ++begin;
  return "…" + std::string(id.substr(begin));
}

void add_legend(Svg& svg, const AnswerMap& map, double x, double y, double bottom) {
  const auto room = static_cast<std::size_t>((bottom - y) / 22);
  const std::size_t shown = std::min({map.answers.size(), most_in_legend, room > 2 ? room - 2 : 1});
  svg.leaf("line", {{"x1", x - 9},
                    {"y1", y},
                    {"x2", x + 9},
                    {"y2", y},
                    {"stroke", hex_of(day_page.ink)},
                    {"stroke-width", query_width},
                    {"stroke-opacity", query_opacity}});
  svg.text(x + 22, y + 4, shortened(map.query.id), {{"font-size", 12}, {"font-weight", 600}});
  svg.text(x + legend_width - 40, y + 4, "query",
           {{"font-size", 12}, {"text-anchor", "end"}, {"fill", hex_of(day_page.faint_ink)}});
  for (std::size_t rank = 0; rank < shown; ++rank) {
    const double line = y + 26 + 22 * static_cast<double>(rank);
    add_rank(svg, {x, line}, rank);
    svg.text(x + 22, line + 4, shortened(map.answers[rank].trip.id), {{"font-size", 12}});
    svg.text(x + legend_width - 40, line + 4, map.answers[rank].distance,
             {{"font-size", 12}, {"text-anchor", "end"}, {"fill", hex_of(day_page.faint_ink)}});
  }
  if (shown < map.answers.size()) {
    svg.text(x + 22, y + 30 + 22 * static_cast<double>(shown),
             fmt::format("and {} more", map.answers.size() - shown),
             {{"font-size", 12}, {"fill", hex_of(day_page.faint_ink)}});
  }
}

}  // namespace

Box shown_box(const AnswerMap& map) {
  return frame_of(map).box();
}

std::string svg_of(const AnswerMap& map) {
  const Frame frame = frame_of(map);
  const std::vector<Mark> below = marks_below(frame), beside = marks_beside(frame);
  const Place place{room_for(beside), 76, static_cast<double>(frame.width()),
                    static_cast<double>(frame.height())};
  const double width = place.right() + 28 + legend_width, height = place.bottom() + 48;
  Svg svg(width, height);
  svg.leaf("rect",
           {{"width", width}, {"height", height}, {"rx", 10}, {"fill", hex_of(day_page.page)}});
  svg.open("g", {{"font-family", page_fonts}, {"fill", hex_of(day_page.ink)}});
  svg.text(place.x, 38, map.title, {{"font-size", 20}, {"font-weight", 600}});
  svg.text(place.x, 60, map.subtitle, {{"font-size", 13}, {"fill", hex_of(day_page.faint_ink)}});
  add_image(svg, faint_density(map.nearby, frame), place);
  add_axes(svg, place, below, beside, day_page);
  add_lines(svg, map, frame, place);
  add_scale_bar(svg, frame, place, day_page);
  add_legend(svg, map, place.right() + 36, place.y + 14, place.bottom());
  return std::move(svg).finish();
}

}  // namespace tsmini
