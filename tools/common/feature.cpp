#include "common/feature.h"

#include <utility>

namespace tsmini::cli {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string feature_text(const Trajectory& trip, Json properties) {
  Json points = Json::array();
  for (const Position& p : trip.points) points.push_back({p.lon, p.lat});
  return line_of({{"type", "Feature"},
                  {"properties", std::move(properties)},
                  {"geometry", {{"type", "LineString"}, {"coordinates", std::move(points)}}}});
}

}  // namespace tsmini::cli
