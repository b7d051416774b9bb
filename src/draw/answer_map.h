// A query and its answers as a picture: coloured lines with their ranks over a faint density of
// other trips, on a light page, with a legend of ids and distances.
//
//   std::string svg = svg_of(AnswerMap{.title = "trip-1", .query = query, .answers = answers, …});
#pragma once

#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/trajectory.h"

namespace tsmini {

struct AnswerMap {
  struct Answer {
    Trajectory trip;
    std::string distance;  // with its unit
  };

  std::string title, subtitle;
  Coordinates coordinates = Coordinates::degrees;
  Trajectory query;             // of one point or more
  std::vector<Answer> answers;  // the nearest first
  Dataset nearby;               // what else is there
};

// The part of the world that the picture shows, for finding what is nearby.
Box shown_box(const AnswerMap& map);

// The text of an SVG file.
std::string svg_of(const AnswerMap& map);

}  // namespace tsmini
