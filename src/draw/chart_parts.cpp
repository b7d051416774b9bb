#include "draw/chart_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/utf8.h"
#include "draw/axis.h"

namespace tsmini {
namespace {

constexpr std::array<std::string_view, 6> colours{"#2f81f7", "#d9730d", "#2da44e",
                                                  "#a371f7", "#e5534b", "#1b9aaa"};
constexpr double stroke = 18, stroke_gap = 6, entry_gap = 20;
constexpr double first_row = 26, further_row = 18;

}  // namespace

std::string_view series_colour(std::size_t number) {
  return colours[number % colours.size()];
}

double drawn_width(std::string_view text, double font_size) {
  const auto characters = std::count_if(text.begin(), text.end(), begins_character);
  return 0.625 * font_size * static_cast<double>(characters);
}

Range widened(Range range) {
  if (range.low < range.high) return range;
  const double half = range.low == 0 ? 1 : std::abs(range.low) / 2;
  return {range.low - half, range.high + half};
}

void open_chart(Svg& svg, std::string_view title) {
  svg.open("g", {{"font-family", "system-ui, sans-serif"}, {"font-size", 12}, {"fill", chart_ink}});
  svg.text(chart_left, 21, title, {{"font-size", 14}, {"font-weight", "bold"}});
}

void draw_y_axis(Svg& svg, const PlotArea& area, const Range& y, std::string_view title) {
  for (const Tick& tick : ticks_between(y.low, y.high, 5)) {
    const double at = area.bottom - y.share(tick.value) * area.height();
    draw_grid_line(svg, area.left, at, area.right, at);
    svg.text(area.left - 8, at + 4, number_label(tick), {{"text-anchor", "end"}});
  }
  svg.leaf("path", {{"d", fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}", area.left, area.top,
                                      area.bottom, area.right)},
                    {"fill", "none"},
                    {"stroke", chart_ink}});
  const double middle = (area.top + area.bottom) / 2;
  svg.text(
      18, middle, title,
      {{"text-anchor", "middle"}, {"transform", fmt::format("rotate(-90 18 {:.1f})", middle)}});
}

void draw_grid_line(Svg& svg, double x0, double y0, double x1, double y1) {
  svg.leaf("path", {{"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x0, y0, x1, y1)},
                    {"stroke", chart_ink},
                    {"stroke-opacity", 0.25}});
}

Legend::Legend(const std::vector<std::string>& names, double width) {
  double x = 0;
  std::size_t row = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const double own = stroke + stroke_gap + drawn_width(names[i]);
    if (x > 0 && x + own > width) {
      x = 0;
      ++row;
    }
    entries_.push_back({names[i], series_colour(i), x, row});
    x += own + entry_gap;
  }
}

double Legend::height() const {
  const std::size_t last = entries_.empty() ? 0 : entries_.back().row;
  return first_row + further_row * static_cast<double>(last);
}

void Legend::draw(Svg& svg, double top, double thickness) const {
  for (const Entry& entry : entries_) {
    const double x = chart_left + entry.x;
    const double y = top + 14 + further_row * static_cast<double>(entry.row);
    svg.leaf("path", {{"d", fmt::format("M{:.1f} {:.1f}h{}", x, y - 4, stroke)},
                      {"stroke", entry.colour},
                      {"stroke-width", thickness}});
    svg.text(x + stroke + stroke_gap, y, entry.name, {});
  }
}

}  // namespace tsmini
