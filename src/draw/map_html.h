// The moving face of a map: one HTML file that pans and zooms without a network.
#pragma once

#include <string>

#include "tsmini/heartbeat.h"

#include "draw/map_content.h"

namespace tsmini {

// The bytes of the file; says in the content's summary how many trips are left out. `density` is
// that of the content's frame.
std::string map_html(MapContent& content, const DensityRaster& density, const Heartbeat& heartbeat);

}  // namespace tsmini
