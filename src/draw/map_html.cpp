#include "draw/map_html.h"

namespace tsmini {

std::string map_html(MapContent&, const DensityRaster&, const Heartbeat&) {
  return {};
}

}  // namespace tsmini
