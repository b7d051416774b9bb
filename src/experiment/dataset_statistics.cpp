#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/planar_set.h"

#include "base/text.h"
#include "draw/axis.h"
#include "experiment/experiments.h"
#include "experiment/study.h"

namespace tsmini::experiment {
namespace {

struct Statistics {
  std::size_t trips = 0, most_points = 0;
  double mean_points = 0;
  double mean_length = 0, longest = 0, width = 0, height = 0;  // km, or the data's unit
};

double length_of(std::span<const Planar> points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  return length;
}

// Lengths on the ground, in kilometres; of planar data in its own unit.
Statistics statistics_of(const Dataset& data) {
  const bool degrees = data.info().coordinates == Coordinates::degrees;
  const double unit = degrees ? 1000 : 1;
  const Space space = Space::fit(degrees ? SpaceKind::ground : SpaceKind::planar, data);
  Statistics statistics;
  statistics.trips = data.size();
  statistics.mean_points =
      static_cast<double>(data.point_count()) / static_cast<double>(data.size());
  std::vector<Planar> points;
  for (std::size_t i = 0; i < data.size(); ++i) {
    points.clear();
    for (const Position& position : data[i].points) points.push_back(space.project(position));
    const double length = length_of(points) / unit;
    statistics.most_points = std::max(statistics.most_points, points.size());
    statistics.mean_length += length / static_cast<double>(data.size());
    statistics.longest = std::max(statistics.longest, length);
  }
  const Box& box = data.info().extent;
  const Planar low = space.project({box.min_lon, box.min_lat});
  const Planar high = space.project({box.max_lon, box.max_lat});
  statistics.width = (high.x - low.x) / unit;
  statistics.height = (high.y - low.y) / unit;
  return statistics;
}

// Trips by their number of points, in some ten classes of a round width.
BarChart chart_of(const City& city) {
  const Dataset& data = city.data;
  std::size_t most = 1;
  for (std::size_t i = 0; i < data.size(); ++i) most = std::max(most, data[i].size());
  const auto width =
      static_cast<std::size_t>(round_below(std::max(1.0, static_cast<double>(most) / 5)));
  std::vector<double> shares((most + width - 1) / width);
  for (std::size_t i = 0; i < data.size(); ++i)
    shares[(std::max<std::size_t>(data[i].size(), 1) - 1) / width] +=
        100 / static_cast<double>(data.size());
  BarChart chart;
  chart.title = city.name;
  chart.y_title = "trips [%]";
  chart.low = 0;
  for (std::size_t c = 1; c <= shares.size(); ++c)
    chart.groups.push_back(fmt::format("≤ {}", c * width));
  chart.series.push_back({"trips by their number of points", shares});
  return chart;
}

}  // namespace

Report dataset_statistics(const Setting& setting, Lab&) {
  Report report{"dataset", "The data", {}, {}, {}, {}};
  std::vector<const City*> cities{&setting.city};
  if (setting.other) cities.push_back(&*setting.other);
  Table table{"", {""}, {}, ""};
  std::vector<Statistics> all;
  for (const City* city : cities) {
    table.columns.push_back(city->name);
    all.push_back(statistics_of(city->data));
  }
  table.columns.insert(table.columns.end(),
                       {"Porto, the paper", "Xi'an, the paper", "Germany, the paper"});
  const bool has_plane = std::any_of(cities.begin(), cities.end(), [](const City* city) {
    return city->data.info().coordinates == Coordinates::planar;
  });
  const std::string unit = has_plane ? "[km; of a plane its own unit]" : "[km]";
  const auto add = [&](const std::string& name, auto cell,
                       const std::array<const char*, 3>& paper) {
    std::vector<Cell> row{name};
    for (const Statistics& statistics : all) row.push_back(cell(statistics));
    for (const char* text : paper) row.emplace_back(text);
    table.rows.push_back(row);
  };
  add("trips", [](const Statistics& s) { return count_of(static_cast<double>(s.trips)); },
      {"1,372,725", "900,562", "420,074"});
  add("points a trip, mean", [](const Statistics& s) { return rounded(s.mean_points); },
      {"48", "118", "72"});
  add("points a trip, most",
      [](const Statistics& s) { return count_of(static_cast<double>(s.most_points)); },
      {"200", "200", "200"});
  add("length, mean " + unit, [](const Statistics& s) { return rounded(s.mean_length); },
      {"6.37", "3.25", "252"});
  add("length, longest " + unit, [](const Statistics& s) { return rounded(s.longest); },
      {"80.6", "99.4", "116,000"});
  add("extent " + unit,
      [](const Statistics& s) { return Cell(fmt::format("{:.1f} × {:.1f}", s.width, s.height)); },
      {"16.0 × 20.1", "9.9 × 9.6", "1,000 × 1,200"});
  for (const City* city : cities) {
    const auto size = [&](Part part) { return with_thousands(city->data.indices_of(part).size()); };
    report.made_with.push_back(fmt::format("{}: {} to learn from, {} to choose by, {} to test",
                                           city->name, size(Part::train), size(Part::validation),
                                           size(Part::test)));
  }
  report.tables.push_back(table);
  report.figures.push_back({"", svg_of(chart_of(setting.city))});
  return report;
}

}  // namespace tsmini::experiment
