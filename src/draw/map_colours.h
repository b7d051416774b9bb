// The colours of maps, by style.
#pragma once

#include <array>
#include <cstddef>

#include "tsmini/map.h"

#include "draw/colour.h"
#include "draw/image.h"

namespace tsmini {

// The colours of a page.
struct PageColours {
  Rgb page;
  Rgb map;        // where nothing is drawn
  Rgb ink;        // titles
  Rgb faint_ink;  // labels
  Rgb line;       // axes and grid, with little opacity
};
const PageColours& page_colours(MapStyle style);

// The colours of the ground's densities, faint where lines lie on them.
using GroundColours = std::array<Rgb, density_colours.size()>;
GroundColours ground_colours(MapStyle style, bool under_lines);

// The colour of the line that has this place among all.
Rgb line_colour(const MapLine& line, std::size_t place, MapStyle style);

}  // namespace tsmini
