#include "draw/bars.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/chart_parts.h"
#include "draw/svg.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

constexpr double group_share = 0.84;  // of a group's width that its bars take
constexpr double value_size = 10;     // of the font of values
constexpr double value_room = 10;     // above the axes, for the value of a bar that fills them
constexpr double line_height = 15;
constexpr std::size_t most_lines = 3;

bool is_bar(const BarChart& chart, const BarChart::Series& series, std::size_t group) {
  return group < chart.groups.size() && group < series.values.size() &&
         std::isfinite(series.values[group]);
}

Range y_range_of(const BarChart& chart) {
  Range range{0, 0};
  for (const BarChart::Series& series : chart.series) {
    for (std::size_t g = 0; g < series.values.size(); ++g) {
      if (!is_bar(chart, series, g)) continue;
      range = {std::min(range.low, series.values[g]), std::max(range.high, series.values[g])};
    }
  }
  if (range.low == range.high) range.high = 1;
  const double margin = 0.06 * (range.high - range.low);
  return widened({chart.low.value_or(range.low < 0 ? range.low - margin : 0),
                  chart.high.value_or(range.high > 0 ? range.high + margin : 0)});
}

// Broken between words; a word that is too wide stands alone.
std::vector<std::string> wrapped(std::string_view text, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.empty() && drawn_width(lines.back() + " " + word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

// The names below the groups: in lines where that is enough, turned otherwise.
class GroupNames {
 public:
  GroupNames(const std::vector<std::string>& names, double slot) : names_(names), slot_(slot) {
    std::size_t lines = 1;
    double widest = 0;
    for (std::size_t g = 0; g < names.size(); ++g) {
      lines_.push_back(wrapped(names[g], slot - 6));
      lines = std::max(lines, lines_.back().size());
      for (const std::string& line : lines_.back()) turned_ |= drawn_width(line) > slot - 6;
      const double width = drawn_width(names[g]);
      widest = std::max(widest, width);
      // Upright where it would leave the picture otherwise.
      const double reach = chart_left + slot * (static_cast<double>(g) + 0.5);
      if (width * std::cos(angle_ * radians_per_degree) > reach) angle_ = 90;
    }
    turned_ |= lines > most_lines;
    height_ = turned_ ? widest * std::sin(angle_ * radians_per_degree) + line_height
                      : line_height * static_cast<double>(lines);
  }

  double height() const { return height_; }

  void draw(Svg& svg, const PlotArea& area) const {
    for (std::size_t g = 0; g < names_.size(); ++g) {
      const double x = area.left + slot_ * (static_cast<double>(g) + 0.5);
      if (turned_) {
        const double y = area.bottom + 12;
        svg.text(x + 4, y, names_[g],
                 {{"text-anchor", "end"},
                  {"transform", fmt::format("rotate(-{:.0f} {:.1f} {:.1f})", angle_, x + 4, y)}});
        continue;
      }
      double y = area.bottom + 18;
      for (const std::string& line : lines_[g]) {
        svg.text(x, y, line, {{"text-anchor", "middle"}});
        y += line_height;
      }
    }
  }

 private:
  const std::vector<std::string>& names_;
  double slot_;
  std::vector<std::vector<std::string>> lines_;  // per name
  bool turned_ = false;
  double angle_ = 40;  // degrees, where turned
  double height_ = 0;
};

std::vector<std::string> names_of(const std::vector<BarChart::Series>& series) {
  std::vector<std::string> names;
  names.reserve(series.size());
  for (const BarChart::Series& s : series) names.push_back(s.name);
  return names;
}

class BarPage {
 public:
  explicit BarPage(const BarChart& chart)
      : chart_(chart),
        y_(y_range_of(chart)),
        legend_(names_of(chart.series), chart.width - chart_left - chart_right),
        area_(area_of(chart, legend_)),
        slot_(area_.width() / static_cast<double>(std::max<std::size_t>(chart.groups.size(), 1))),
        bar_(group_share * slot_ /
             static_cast<double>(std::max<std::size_t>(chart.series.size(), 1))),
        names_(chart.groups, slot_),
        svg_(chart.width, area_.bottom + names_.height() + 14) {}

  std::string draw() && {
    open_chart(svg_, chart_.title);
    legend_.draw(svg_, chart_head, 10);
    draw_y_axis(svg_, area_, y_, chart_.y_title);
    names_.draw(svg_, area_);
    const bool labelled = values_fit();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      for (std::size_t g = 0; g < chart_.groups.size(); ++g) {
        if (is_bar(chart_, chart_.series[s], g)) draw_bar(s, g, labelled);
      }
    }
    svg_.close();
    return std::move(svg_).finish();
  }

 private:
  static PlotArea area_of(const BarChart& chart, const Legend& legend) {
    const double top = chart_head + legend.height() + value_room;
    return {chart_left, top, chart.width - chart_right, top + chart.height};
  }

  bool values_fit() const {
    for (const BarChart::Series& series : chart_.series) {
      for (std::size_t g = 0; g < chart_.groups.size(); ++g) {
        if (is_bar(chart_, series, g) &&
            drawn_width(short_number(series.values[g]), value_size) > bar_)
          return false;
      }
    }
    return true;
  }

  double y_pixel(double value) const {
    return area_.bottom - std::clamp(y_.share(value), 0.0, 1.0) * area_.height();
  }

  void draw_bar(std::size_t series, std::size_t group, bool labelled) {
    const double value = chart_.series[series].values[group];
    const double x = area_.left + slot_ * (static_cast<double>(group) + (1 - group_share) / 2) +
                     bar_ * static_cast<double>(series);
    const double base = y_pixel(0), end = y_pixel(value);
    svg_.leaf("rect", {{"x", x},
                       {"y", std::min(base, end)},
                       {"width", 0.92 * bar_},
                       {"height", std::abs(end - base)},
                       {"fill", series_colour(series)}});
    if (!labelled) return;
    svg_.text(x + 0.46 * bar_, value < 0 ? end + value_size : end - 3, short_number(value),
              {{"text-anchor", "middle"}, {"font-size", value_size}});
  }

  const BarChart& chart_;
  Range y_;
  Legend legend_;
  PlotArea area_;
  double slot_;  // width of a group
  double bar_;   // of a bar and the gap behind it
  GroupNames names_;
  Svg svg_;
};

}  // namespace

std::string svg_of(const BarChart& chart) {
  return BarPage(chart).draw();
}

std::string short_number(double value) {
  if (value >= 0.001 && value < 0.9995) return fmt::format("{:.3f}", value).substr(1);
  const double size = std::abs(value);
  if (size < 999.5 || size >= 999'500) return fmt::format("{:.3g}", value);
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 2);
  return fmt::format("{:.0f}", std::round(value / unit) * unit);
}

}  // namespace tsmini
