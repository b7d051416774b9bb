// Grouped bar charts: how several methods do on several tasks.
//
// Groups stand side by side, in each one bar a series. Bars rise from zero (or from `low`), with
// their values above where all of these find room. The look is that of line charts
// (tsmini/line_chart.h).
//
//   BarChart chart;
//   chart.title = "Porto";
//   chart.y_title = "HR@10";
//   chart.groups = {"frechet", "hausdorff"};
//   chart.series = {{"ours", {0.894, 0.871}}, {"theirs", {0.802, 0.795}}};
//   std::string svg = svg_of(chart);
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tsmini {

struct BarChart {
  struct Series {
    std::string name;            // for the legend
    std::vector<double> values;  // one per group; missing or not finite: no bar
  };

  std::string title;
  std::string y_title;  // with the unit
  std::vector<std::string> groups;
  std::vector<Series> series;
  // Ends of the y axis; where missing they follow the data and include 0.
  std::optional<double> low, high;
  double width = 760;   // pixels
  double height = 260;  // of the axes
};

// The text of an SVG file.
std::string svg_of(const BarChart& chart);

// ".894" between 0 and 1, three significant digits otherwise: "12.3", "1230".
std::string short_number(double value);

}  // namespace tsmini
