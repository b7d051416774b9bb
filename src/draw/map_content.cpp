#include "draw/map_content.h"

#include <utility>

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini {
namespace {

std::string words_of(const Box& box, bool degrees) {
  return degrees ? fmt::format("lon {:.4g} to {:.4g}, lat {:.4g} to {:.4g}", box.min_lon,
                               box.max_lon, box.min_lat, box.max_lat)
                 : fmt::format("x {:.4g} to {:.4g}, y {:.4g} to {:.4g}", box.min_lon, box.max_lon,
                               box.min_lat, box.max_lat);
}

}  // namespace

Headlines headlines_of(const Map& map) {
  Headlines lines{map.title, map.subtitle};
  if (lines.subtitle.empty() && map.ground.size() > 0) {
    lines.subtitle = counted(map.ground.size(), "trajectory") + " · " +
                     counted(map.ground.point_count(), "point");
  }
  if (lines.title.empty()) std::swap(lines.title, lines.subtitle);
  return lines;
}

std::string_view label_of(const MapLine& line) {
  return line.label.empty() ? line.trip.id : line.label;
}

std::string outside_note(const MapContent& content) {
  const MapSummary& summary = content.summary;
  if (summary.is_dwarfed) {
    return "99 % of the points lie within " + words_of(summary.central, content.frame.degrees());
  }
  if (content.map.shown && !content.map.lines.empty() && content.has_all_lines) return {};
  if (summary.points_outside == 0) return "all points lie inside the frame";
  const double share =
      static_cast<double>(summary.points_outside) / static_cast<double>(summary.points);
  return fmt::format("{} of {} points ({}) lie outside the frame",
                     with_thousands(summary.points_outside), with_thousands(summary.points),
                     human_share(share));
}

}  // namespace tsmini
