// The still face of a map: a page around the raster, the same as SVG and as PNG.
#pragma once

#include <string>

#include "tsmini/heartbeat.h"

#include "draw/density.h"
#include "draw/map_content.h"

namespace tsmini {

enum class PageKind { svg, png };

// The bytes of the file: title, axes, scale bar, lines, legends, and what lies outside. `density`
// is that of the content's frame.
std::string map_page(const MapContent& content, const GroundDensity& density, PageKind kind,
                     const Heartbeat& heartbeat);

}  // namespace tsmini
