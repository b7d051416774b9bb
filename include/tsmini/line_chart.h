// Line charts: learning curves and the figures of experiments.
//
// One or more panels above each other share an x axis; each has its own y axis, titles with units
// and a legend. Where a line has few points, each has a mark. The picture has no background and
// uses colours of middle lightness, so that it reads on white paper and on a dark page alike.
//
//   LineChart chart;
//   chart.title = "Porto, frechet";
//   chart.x_title = "step";
//   chart.panels = {{"hit ratio", {{"HR@10", {{100, 0.51}, {200, 0.63}}}}, 0.0, 1.0}};
//   std::string svg = svg_of(chart);
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tsmini {

struct ChartPoint {
  double x = 0;
  double y = 0;  // a point that is not finite interrupts the line
};

struct ChartLine {
  std::string name;  // for the legend
  std::vector<ChartPoint> points;
};

struct ChartPanel {
  std::string y_title;  // with the unit: "loss", "time [s]"
  std::vector<ChartLine> lines;
  // Ends of the y axis; where missing they follow the data.
  std::optional<double> low, high;
};

struct LineChart {
  std::string title;
  std::string x_title;
  std::vector<ChartPanel> panels;
  std::optional<double> x_low, x_high;  // ends of the x axis; where missing they follow the data
  // A logarithmic x axis, with its ticks at the x of the data; what is not above 0 is left out.
  bool log_x = false;
  double width = 760;         // pixels
  double panel_height = 230;  // of the axes
};

// The text of an SVG file.
std::string svg_of(const LineChart& chart);

}  // namespace tsmini
