// The colours that trips of the ground have from the lines they belong to (Map::line_of_trip).
//
// Lines repeat their colours, so that there are few tints however many groups. They count from 1; 0
// is the ground's own colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/map.h"

#include "draw/image.h"

namespace tsmini {

class GroundTints {
 public:
  explicit GroundTints(const Map& map);

  std::size_t count() const { return first_line_.size(); }
  std::uint8_t of_line(std::size_t line) const { return of_line_[line]; }
  std::uint8_t of_trip(std::size_t trip) const {
    if (map_.line_of_trip.empty() || map_.line_of_trip[trip] == Map::no_line) return 0;
    return of_line_[map_.line_of_trip[trip]];
  }
  Rgb colour(std::uint8_t tint, MapStyle style) const;

 private:
  const Map& map_;
  std::vector<std::uint8_t> of_line_;
  std::vector<std::size_t> first_line_;  // of each tint
};

}  // namespace tsmini
