#include "drawing.h"

#include <fmt/format.h>

#include "tsmini/pick.h"

#include "base/amounts.h"
#include "common/distance_text.h"

namespace tsmini::cli {

Dataset ground_of(const Dataset& data, std::span<const std::size_t> indices) {
  return indices.size() == data.size() ? data : subset(data, indices);
}

Map answer_map(const Trajectory& query, std::span<const AnswerLine> answers,
               Coordinates coordinates) {
  Map map;
  map.coordinates = coordinates;
  map.lines = answer_lines(query, answers);
  map.shown = extent_of(map.lines, coordinates);
  map.width = 900;
  return map;
}

std::string answer_title(const Trajectory& query, std::size_t answers,
                         const std::optional<double>& within, std::string_view unit) {
  return within ? fmt::format("{} within {} of {}", answers, distance_text(*within, unit, false),
                              query.id)
                : fmt::format("{} nearest to {}", answers, query.id);
}

std::vector<std::size_t> touching(const Dataset& data, std::span<const std::size_t> indices,
                                  const Box& box) {
  std::vector<std::size_t> found;
  for (const std::size_t i : indices) {
    Box own = Box::empty();
    for (const Position& p : data[i].points) own.add(p);
    const bool is_apart = own.min_lon > box.max_lon || own.max_lon < box.min_lon ||
                          own.min_lat > box.max_lat || own.max_lat < box.min_lat;
    if (!is_apart) found.push_back(i);
  }
  return found;
}

MapSummary draw_to(const std::string& file, const Map& map, const Console& console) {
  const MapSummary summary = draw_map(map, file, console.progress("drawing", Unit::trips));
  console.say("map -> {}", file);
  if (summary.is_dwarfed) {
    const Box& box = summary.central;
    console.say(
        "note: a few points far out make the rest small; 99 % lie in --bbox={},{},{},{} of "
        "'tsmini map'",
        box.min_lon, box.min_lat, box.max_lon, box.max_lat);
  }
  if (summary.trips_left_out > 0) {
    console.say("note: {} are in the page as a picture only, since a browser would be slow",
                counted(summary.trips_left_out, "trip"));
  }
  return summary;
}

}  // namespace tsmini::cli
