// Distances as people read them: with their unit, and marked where they are a model's guess.
//
//   unit_of(Measure::frechet, SpaceKind::ground)   "m"
//   unit_of(Measure::dtw, SpaceKind::ground)       "m summed", over the pairs of an alignment
//   unit_of(Measure::edr, SpaceKind::ground)       "", a share
//   distance_text(872.5, "m", false)               "872.5 m"
//   distance_text(872.5, "m", true)                "≈872.5 m"
//
// Metres are what one could measure on the ground, so that only the space `ground` has them: those
// of `mercator` are longer, and the others have the unit of their data or none.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tsmini/measure.h"
#include "tsmini/space.h"

namespace tsmini::cli {

// Empty where there is none to name.
std::string_view unit_of(Measure measure, SpaceKind space);
// The unit for programs: null where there is none.
nlohmann::ordered_json unit_json(Measure measure, SpaceKind space);

// The heading of a column of distances: "distance (m)", "distance".
std::string distance_heading(std::string_view unit);

// What stands before a distance that is a guess.
std::string_view estimate_mark(bool estimated);
std::string distance_text(double distance, std::string_view unit, bool estimated);

}  // namespace tsmini::cli
