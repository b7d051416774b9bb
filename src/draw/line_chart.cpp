#include "tsmini/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/axis.h"
#include "draw/chart_parts.h"
#include "draw/svg.h"

namespace tsmini {
namespace {

constexpr double panel_gap = 16, panel_foot = 50;
constexpr std::size_t most_marked = 20;  // points of a line with a mark on each

Range y_range_of(const ChartPanel& panel) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const ChartLine& line : panel.lines) {
    for (const ChartPoint& point : line.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      range = {std::min(range.low, point.y), std::max(range.high, point.y)};
    }
  }
  range = range.low > range.high ? Range{} : widened(range);
  const double margin = 0.06 * (range.high - range.low);
  return widened(
      {panel.low.value_or(range.low - margin), panel.high.value_or(range.high + margin)});
}

std::vector<Legend> legends_of(const LineChart& chart) {
  std::vector<Legend> legends;
  for (const ChartPanel& panel : chart.panels) {
    std::vector<std::string> names;
    for (const ChartLine& line : panel.lines) names.push_back(line.name);
    legends.emplace_back(names, chart.width - chart_left - chart_right);
  }
  return legends;
}

double height_of(const LineChart& chart, const std::vector<Legend>& legends) {
  double height = chart_head - panel_gap + panel_foot;
  for (const Legend& legend : legends) height += legend.height() + chart.panel_height + panel_gap;
  return height;
}

// Puts x between the ends of its axis, evenly or by its logarithm.
class XAxis {
 public:
  explicit XAxis(const LineChart& chart) : log_(chart.log_x) {
    for (const ChartPanel& panel : chart.panels) {
      for (const ChartLine& line : panel.lines) {
        for (const ChartPoint& point : line.points) {
          if (std::isfinite(scaled(point.x)) && std::isfinite(point.y)) values_.insert(point.x);
        }
      }
    }
    const auto end = [&](const std::optional<double>& wanted, double otherwise) {
      return scaled(wanted && std::isfinite(scaled(*wanted)) ? *wanted : otherwise);
    };
    const double least = log_ ? 1 : 0, most = log_ ? 10 : 1;  // of a chart without points
    range_ = widened({end(chart.x_low, values_.empty() ? least : *values_.begin()),
                      end(chart.x_high, values_.empty() ? most : *values_.rbegin())});
  }

  // Where x lies on the axis, from 0 to 1; not finite where it has no place.
  double share(double x) const { return range_.share(scaled(x)); }

  struct Mark {
    double share;
    std::string label;
  };
  std::vector<Mark> marks() const {
    std::vector<Mark> marks;
    if (log_) {
      for (const double x : values_) {
        if (share(x) >= 0 && share(x) <= 1) marks.push_back({share(x), fmt::format("{:.9g}", x)});
      }
    } else {
      for (const Tick& tick : ticks_between(range_.low, range_.high, 7))
        marks.push_back({range_.share(tick.value), number_label(tick)});
    }
    return marks;
  }

 private:
  double scaled(double x) const { return log_ ? std::log(x) : x; }

  bool log_;
  std::set<double> values_;
  Range range_;
};

class ChartPage {
 public:
  explicit ChartPage(const LineChart& chart)
      : chart_(chart),
        x_(chart),
        legends_(legends_of(chart)),
        svg_(chart.width, height_of(chart, legends_)) {}

  std::string draw() && {
    open_chart(svg_, chart_.title);
    double top = chart_head;
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      legends_[i].draw(svg_, top, 3);
      top += legends_[i].height();
      const PlotArea area{chart_left, top, chart_.width - chart_right, top + chart_.panel_height};
      draw_panel(chart_.panels[i], area, i + 1 == chart_.panels.size());
      top = area.bottom + panel_gap;
    }
    svg_.close();
    return std::move(svg_).finish();
  }

 private:
  void draw_panel(const ChartPanel& panel, const PlotArea& area, bool last) {
    const Range y = y_range_of(panel);
    draw_y_axis(svg_, area, y, panel.y_title);
    draw_x_axis(area, last);
    for (std::size_t i = 0; i < panel.lines.size(); ++i)
      draw_line(panel.lines[i], series_colour(i), y, area);
  }

  // Numbers where they do not touch the one before.
  void draw_x_axis(const PlotArea& area, bool labelled) {
    double free_from = 0;
    for (const XAxis::Mark& mark : x_.marks()) {
      const double at = area.left + mark.share * area.width();
      draw_grid_line(svg_, at, area.top, at, area.bottom);
      const double half = drawn_width(mark.label) / 2;
      if (!labelled || at - half < free_from) continue;
      svg_.text(at, area.bottom + 18, mark.label, {{"text-anchor", "middle"}});
      free_from = at + half + 4;
    }
    if (!labelled) return;
    svg_.text((area.left + area.right) / 2, area.bottom + 38, chart_.x_title,
              {{"text-anchor", "middle"}});
  }

  // Pieces of finite points; a single one is a dot.
  void draw_line(const ChartLine& line, std::string_view colour, const Range& y,
                 const PlotArea& area) {
    const bool marked = line.points.size() <= most_marked;
    std::string path;
    std::size_t run = 0;
    double px = 0, py = 0;
    const auto dot = [&] {
      svg_.leaf("circle", {{"cx", px}, {"cy", py}, {"r", 3}, {"fill", colour}});
    };
    const auto end_run = [&] {
      if (run == 1 && !marked) dot();
      run = 0;
    };
    for (const ChartPoint& point : line.points) {
      const double share = x_.share(point.x);
      if (!std::isfinite(share) || !std::isfinite(point.y)) {
        end_run();
        continue;
      }
      px = area.left + share * area.width();
      py = area.bottom - std::clamp(y.share(point.y), 0.0, 1.0) * area.height();
      path += fmt::format("{}{:.1f} {:.1f}", run == 0 ? "M" : "L", px, py);
      if (marked) dot();
      ++run;
    }
    end_run();
    if (path.empty()) return;
    svg_.leaf("path", {{"d", path},
                       {"fill", "none"},
                       {"stroke", colour},
                       {"stroke-width", 2},
                       {"stroke-linejoin", "round"}});
  }

  const LineChart& chart_;
  XAxis x_;
  std::vector<Legend> legends_;
  Svg svg_;
};

}  // namespace

std::string svg_of(const LineChart& chart) {
  return ChartPage(chart).draw();
}

}  // namespace tsmini
