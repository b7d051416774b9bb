#include "common/distance_text.h"

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini::cli {

std::string_view unit_of(Measure measure, SpaceKind space) {
  if (space != SpaceKind::ground) return "";
  switch (measure) {
    case Measure::frechet:
    case Measure::frechet_continuous:
    case Measure::hausdorff:
    case Measure::hausdorff_segment:
    case Measure::sspd: return "m";
    case Measure::dtw:
    case Measure::erp: return "m summed";
    case Measure::edwp:  // no length that could be pointed at
    case Measure::edr:
    case Measure::lcss: break;
  }
  return "";
}

nlohmann::ordered_json unit_json(Measure measure, SpaceKind space) {
  const std::string_view unit = unit_of(measure, space);
  if (unit.empty()) return nullptr;
  return unit;
}

std::string distance_heading(std::string_view unit) {
  return unit.empty() ? "distance" : fmt::format("distance ({})", unit);
}

std::string_view estimate_mark(bool estimated) {
  return estimated ? "≈" : "";
}

std::string distance_text(double distance, std::string_view unit, bool estimated) {
  return fmt::format("{}{}{}{}", estimate_mark(estimated), human_number(distance, 4),
                     unit.empty() ? "" : " ", unit);
}

}  // namespace tsmini::cli
