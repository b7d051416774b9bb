// The ground of a page that pans and zooms: the trips themselves as far as a file may hold them,
// and pictures of all where it may not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tsmini/heartbeat.h"

#include "draw/image.h"
#include "draw/map_content.h"
#include "draw/trip_code.h"

namespace tsmini {

struct HtmlGround {
  // Pictures of all trips, grey PNG: the whole map first, then the bulk of one that is dwarfed.
  struct Raster {
    Frame frame;
    std::string levels;          // of the density of trips of no tint
    std::string strengths = {};  // of tints; these two are empty where there are none
    std::string tints = {};      // their numbers
  };

  std::string trips;                 // as TripCode has them
  std::string lines;                 // for each of these 0, or 1 + the place of its line
  std::uint64_t trips_coded = 0;     // how many these are
  std::uint64_t trips_in_frame = 0;  // that can be seen; all, unless the map shows a part
  std::uint64_t points_outside = 0;
  std::vector<Raster> rasters;  // none where all trips are coded
};

// Deterministic; at most 6.5 MB of trips, or 3.5 MB of them and 4.5 MB of pictures.
HtmlGround html_ground(const MapContent& content, const TripGrid& grid, const Heartbeat& heartbeat);

}  // namespace tsmini
