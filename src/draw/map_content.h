// A map, ready to be put on a page: what the faces of a map (draw/map_page.h, draw/map_html.h)
// share.
#pragma once

#include <cstdint>
#include <string>

#include "tsmini/map.h"

#include "draw/density.h"
#include "draw/frame.h"
#include "draw/ground_tints.h"
#include "draw/tone.h"

namespace tsmini {

struct MapContent {
  const Map& map;
  MapStyle style;
  Box extent;  // of all points
  Frame frame;
  MapSummary summary;
  GroundTints tints;
  bool has_all_lines = true;  // every point of the lines lies inside the frame
};

// "porto.tsd", "15,000 trajectories · 747,310 points"; the counts are the title where there is
// none.
struct Headlines {
  std::string title, subtitle;
};
Headlines headlines_of(const Map& map);

// What a line is called.
std::string_view label_of(const MapLine& line);

// What lies outside, or where the bulk is; empty for a part of the map that has all of its lines.
std::string outside_note(const MapContent& content);

}  // namespace tsmini
