// The lines of maps that show results: one look for the same thing in every program.
//
//   const std::vector<AnswerLine> answers{{a.trip.view(), "120 m"}, {b.trip.view(), "345 m"}};
//   map.lines = answer_lines(query, answers);
//   map.shown = extent_of(map.lines, map.coordinates);
//
// Lines hold views of the trips, which must live until the map is drawn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/map.h"
#include "tsmini/trajectory.h"

namespace tsmini {

struct AnswerLine {
  Trajectory trip;
  std::string distance;  // with its unit
};

// A broad band for the query, with its ends, under the answers: the nearest first, with their
// ranks.
std::vector<MapLine> answer_lines(const Trajectory& query, std::span<const AnswerLine> answers);

struct RouteLine {
  Trajectory trip;          // without points where none is typical: then it is in the legend only
  std::uint64_t trips = 0;  // that go this way
  std::string label = {};   // otherwise "group 1", "group 2", …
};

// The typical routes of groups: the area of a line's cross-section grows with its trips, so the
// width with their root.
std::vector<MapLine> route_lines(std::span<const RouteLine> routes);

struct OddLine {
  Trajectory trip;
  Trajectory nearest;    // without points where there is none
  std::string distance;  // between the two
};

// Odd trips, the oddest first with their ranks, each in its colour; beside each its nearest as a
// thin line of the same colour.
std::vector<MapLine> odd_lines(std::span<const OddLine> odd);

}  // namespace tsmini
