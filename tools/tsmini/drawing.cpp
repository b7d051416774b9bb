#include "drawing.h"

#include "tsmini/pick.h"

#include "base/amounts.h"

namespace tsmini::cli {

Dataset ground_of(const Dataset& data, std::span<const std::size_t> indices) {
  return indices.size() == data.size() ? data : subset(data, indices);
}

void draw_to(const std::string& file, const Map& map, const Console& console) {
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
}

}  // namespace tsmini::cli
