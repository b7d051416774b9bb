#include "draw/curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/axis.h"
#include "draw/svg.h"

namespace tsmini {
namespace {

// Each of these stands out from white and from near-black.
constexpr std::array<std::string_view, 6> line_colours{"#2f81f7", "#d9730d", "#2da44e",
                                                       "#a371f7", "#e5534b", "#1b9aaa"};
constexpr std::string_view ink = "#7a8088";
constexpr double left = 72, right = 20, head = 34, legend_height = 26, gap = 16, foot = 50;

struct Range {
  double low = 0, high = 1;

  double share(double value) const { return (value - low) / (high - low); }
};

template <class Value>
Range range_of(const std::vector<const ChartPanel*>& panels, Value value) {
  bool any = false;
  Range range;
  for (const ChartPanel* panel : panels) {
    for (const ChartLine& line : panel->lines) {
      for (const ChartPoint& point : line.points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        const double v = value(point);
        range = any ? Range{std::min(range.low, v), std::max(range.high, v)} : Range{v, v};
        any = true;
      }
    }
  }
  return range;
}

Range widened(Range range) {
  if (range.low < range.high) return range;
  const double half = range.low == 0 ? 1 : std::abs(range.low) / 2;
  return {range.low - half, range.high + half};
}

Range y_range_of(const ChartPanel& panel) {
  Range range = widened(range_of({&panel}, [](const ChartPoint& p) { return p.y; }));
  const double margin = 0.06 * (range.high - range.low);
  range = {panel.low.value_or(range.low - margin), panel.high.value_or(range.high + margin)};
  return widened(range);
}

class ChartPage {
 public:
  explicit ChartPage(const LineChart& chart)
      : chart_(chart),
        x_(x_range_of(chart)),
        plot_width_(chart.width - left - right),
        svg_(chart.width, height_of(chart)) {}

  std::string draw() && {
    svg_.open("g", {{"font-family", "system-ui, sans-serif"}, {"font-size", 12}, {"fill", ink}});
    svg_.text(left, 21, chart_.title, {{"font-size", 14}, {"font-weight", "bold"}});
    double top = head;
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      draw_panel(chart_.panels[i], top, i + 1 == chart_.panels.size());
      top += legend_height + chart_.panel_height + gap;
    }
    svg_.close();
    return std::move(svg_).finish();
  }

 private:
  static double height_of(const LineChart& chart) {
    const auto count = static_cast<double>(chart.panels.size());
    return head + count * (legend_height + chart.panel_height + gap) - gap + foot;
  }

  static Range x_range_of(const LineChart& chart) {
    std::vector<const ChartPanel*> panels;
    for (const ChartPanel& panel : chart.panels) panels.push_back(&panel);
    const Range range = range_of(panels, [](const ChartPoint& p) { return p.x; });
    return widened({chart.x_low.value_or(range.low), chart.x_high.value_or(range.high)});
  }

  void draw_panel(const ChartPanel& panel, double top, bool last) {
    draw_legend(panel, top + 14);
    const double y0 = top + legend_height, y1 = y0 + chart_.panel_height;
    const Range y = y_range_of(panel);
    for (const Tick& tick : ticks_between(y.low, y.high, 5)) {
      const double at = y1 - y.share(tick.value) * (y1 - y0);
      grid_line(left, at, left + plot_width_, at);
      svg_.text(left - 8, at + 4, number_label(tick), {{"text-anchor", "end"}});
    }
    for (const Tick& tick : ticks_between(x_.low, x_.high, 7)) {
      const double at = x_pixel(tick.value);
      grid_line(at, y0, at, y1);
      if (last) svg_.text(at, y1 + 18, number_label(tick), {{"text-anchor", "middle"}});
    }
    svg_.leaf("path",
              {{"d", fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}", left, y0, y1, left + plot_width_)},
               {"fill", "none"},
               {"stroke", ink}});
    const double middle = (y0 + y1) / 2;
    svg_.text(
        18, middle, panel.y_title,
        {{"text-anchor", "middle"}, {"transform", fmt::format("rotate(-90 18 {:.1f})", middle)}});
    if (last) {
      svg_.text(left + plot_width_ / 2, y1 + 38, chart_.x_title, {{"text-anchor", "middle"}});
    }
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      draw_line(panel.lines[i], line_colours[i % line_colours.size()], y, y0, y1);
    }
  }

  void draw_legend(const ChartPanel& panel, double y) {
    double x = left;
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      const std::string& name = panel.lines[i].name;
      if (name.empty()) continue;
      svg_.leaf("path", {{"d", fmt::format("M{:.1f} {:.1f}h18", x, y - 4)},
                         {"stroke", line_colours[i % line_colours.size()]},
                         {"stroke-width", 3}});
      svg_.text(x + 24, y, name, {});
      x += 24 + 7.5 * static_cast<double>(name.size()) + 20;
    }
  }

  // Pieces of finite points; a single one is a dot.
  void draw_line(const ChartLine& line, std::string_view colour, const Range& y, double y0,
                 double y1) {
    std::string path;
    std::size_t run = 0;
    double last_x = 0, last_y = 0;
    const auto dot_if_alone = [&] {
      if (run == 1)
        svg_.leaf("circle", {{"cx", last_x}, {"cy", last_y}, {"r", 3}, {"fill", colour}});
      run = 0;
    };
    for (const ChartPoint& point : line.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
        dot_if_alone();
        continue;
      }
      last_x = x_pixel(point.x);
      last_y = y1 - std::clamp(y.share(point.y), 0.0, 1.0) * (y1 - y0);
      path += fmt::format("{}{:.1f} {:.1f}", run == 0 ? "M" : "L", last_x, last_y);
      ++run;
    }
    dot_if_alone();
    if (path.empty()) return;
    svg_.leaf("path", {{"d", path},
                       {"fill", "none"},
                       {"stroke", colour},
                       {"stroke-width", 2},
                       {"stroke-linejoin", "round"}});
  }

  void grid_line(double x0, double y0, double x1, double y1) {
    svg_.leaf("path", {{"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x0, y0, x1, y1)},
                       {"stroke", ink},
                       {"stroke-opacity", 0.25}});
  }

  double x_pixel(double x) const { return left + x_.share(x) * plot_width_; }

  const LineChart& chart_;
  Range x_;
  double plot_width_;
  Svg svg_;
};

}  // namespace

std::string svg_of(const LineChart& chart) {
  return ChartPage(chart).draw();
}

}  // namespace tsmini
