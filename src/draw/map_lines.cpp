#include "tsmini/map_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini {
namespace {

// The line that others are compared with is a broad band under them.
constexpr double band_width = 11, band_opacity = 0.35;
constexpr double least_width = 1.5, greatest_width = 9;

}  // namespace

std::vector<MapLine> answer_lines(const Trajectory& query, std::span<const AnswerLine> answers) {
  std::vector<MapLine> lines{{.trip = query,
                              .note = "query",
                              .colour = LineColour{LineColour::Scale::ink},
                              .width = band_width,
                              .opacity = band_opacity,
                              .ends = true}};
  for (std::size_t rank = 0; rank < answers.size(); ++rank) {
    lines.push_back({.trip = answers[rank].trip,
                     .note = answers[rank].distance,
                     .colour = LineColour{LineColour::Scale::ranks, rank},
                     .badge = std::to_string(rank + 1)});
  }
  return lines;
}

std::vector<MapLine> route_lines(std::span<const RouteLine> routes) {
  std::uint64_t most = 1;
  for (const RouteLine& route : routes) most = std::max(most, route.trips);
  std::vector<MapLine> lines;
  for (const RouteLine& route : routes) {
    const double share = static_cast<double>(route.trips) / static_cast<double>(most);
    lines.push_back(
        {.trip = route.trip,
         .label = route.label.empty() ? fmt::format("group {}", lines.size() + 1) : route.label,
         .note = counted(route.trips, "trip"),
         .width = std::max(least_width, greatest_width * std::sqrt(share))});
  }
  return lines;
}

std::vector<MapLine> odd_lines(std::span<const OddLine> odd) {
  std::vector<MapLine> lines;
  for (std::size_t rank = 0; rank < odd.size(); ++rank) {
    const LineColour colour{LineColour::Scale::groups, rank};
    lines.push_back({.trip = odd[rank].trip,
                     .note = odd[rank].distance,
                     .colour = colour,
                     .width = 3.5,
                     .badge = std::to_string(rank + 1)});
    if (odd[rank].nearest.points.empty()) continue;
    lines.push_back({.trip = odd[rank].nearest,
                     .note = "its nearest",
                     .colour = colour,
                     .width = 1.5,
                     .opacity = 0.8});
  }
  return lines;
}

}  // namespace tsmini
