#include "common/feature.h"

#include <utility>

#include <fmt/format.h>

namespace tsmini::cli {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string feature_text(const Trajectory& trip, std::string_view properties) {
  Json points = Json::array();
  for (const Position& p : trip.points) points.push_back({p.lon, p.lat});
  const Json geometry = {{"type", "LineString"}, {"coordinates", std::move(points)}};
  return fmt::format(R"({{"type":"Feature","properties":{},"geometry":{}}})", properties,
                     line_of(geometry));
}

}  // namespace tsmini::cli
