#include "draw/ground_tints.h"

#include <algorithm>

#include "draw/map_colours.h"

namespace tsmini {

GroundTints::GroundTints(const Map& map) : map_(map), of_line_(map.lines.size(), 0) {
  std::vector<bool> has_trips(map.lines.size(), false);
  for (const std::uint32_t line : map.line_of_trip) {
    if (line != Map::no_line) has_trips[line] = true;
  }
  std::vector<Rgb> colours;
  for (std::size_t i = 0; i < map.lines.size(); ++i) {
    if (!has_trips[i]) continue;
    const Rgb colour = line_colour(map.lines[i], i, MapStyle::day);
    const auto place = std::find(colours.begin(), colours.end(), colour);
    of_line_[i] = static_cast<std::uint8_t>(place - colours.begin() + 1);
    if (place != colours.end()) continue;
    colours.push_back(colour);
    first_line_.push_back(i);
  }
}

Rgb GroundTints::colour(std::uint8_t tint, MapStyle style) const {
  const std::size_t line = first_line_[tint - 1U];
  return line_colour(map_.lines[line], line, style);
}

}  // namespace tsmini
