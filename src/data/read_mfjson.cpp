// MF-JSON (OGC 19-045, Moving Features): a "temporalGeometry" that is a MovingPoint, in a Feature
// or bare, with "coordinates" and "datetimes" of the same length; a MovingGeometryCollection of
// these, in "prisms"; and what MobilityDB writes besides, "sequences" and a single position with a
// single time. Several of them in one feature become ID_0, ID_1, …; moving things other than points
// are counted and dropped. The reader itself is that of GeoJSON.
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "data/json_feature.h"

namespace tsmini {
namespace {

namespace json = simdjson::ondemand;

// [[lon, lat], …], or one [lon, lat].
void read_positions(json::array coordinates, JsonFeature& feature) {
  Position alone;
  std::size_t numbers = 0;
  for (json::value value : coordinates) {
    if (value.type() == json::json_type::array) {
      read_position(value.get_array(), feature);
      continue;
    }
    if (numbers == 0) alone.lon = value.get_double();
    if (numbers == 1) alone.lat = value.get_double();
    ++numbers;
  }
  if (numbers == 1) throw simdjson::simdjson_error(simdjson::INDEX_OUT_OF_BOUNDS);
  if (numbers > 1) feature.points.push_back(alone);
}

void read_moving_point(json::object point, JsonFeature& feature);

void read_each(json::array points, JsonFeature& feature) {
  for (json::object point : points) read_moving_point(point, feature);
}

// The members of a moving point, or those of one of its sequences.
void read_moving_point(json::object point, JsonFeature& feature) {
  const std::size_t points_before = feature.points.size(), times_before = feature.times.size();
  bool has_sequences = false;
  for (auto member : point) {
    const json::raw_json_string key = member.key();
    json::value value = member.value();
    if (key == "coordinates") {
      read_positions(value.get_array(), feature);
    } else if (key == "datetimes" && value.type() == json::json_type::array) {
      read_times(value.get_array(), feature);
    } else if (key == "datetimes") {
      read_time(value, feature);
    } else if (key == "sequences") {
      has_sequences = true;
      read_each(value.get_array(), feature);
    } else if (key == "crs") {
      read_crs(value, feature);
    }
  }
  if (has_sequences) return;
  const std::size_t points = feature.points.size() - points_before;
  const std::size_t times = feature.times.size() - times_before;
  if (points != times && feature.problem.empty()) {
    feature.problem = fmt::format("{} datetimes for {} positions", times, points);
  }
  feature.end_line();
}

json::raw_json_string type_of(json::object& geometry) {
  json::raw_json_string type;
  if (geometry["type"].get_raw_json_string().get(type) != simdjson::SUCCESS) {
    throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
  }
  geometry.reset();
  return type;
}

}  // namespace

bool is_temporal_type(json::raw_json_string type) {
  constexpr std::string_view prefix = "Moving";
  return std::strncmp(type.raw(), prefix.data(), prefix.size()) == 0;
}

void read_temporal_geometry(json::object geometry, JsonFeature& feature) {
  const json::raw_json_string type = type_of(geometry);
  if (type == "MovingPoint") {
    feature.is_line = true;
    read_moving_point(geometry, feature);
  } else if (type == "MovingGeometryCollection") {
    for (json::object prism : geometry["prisms"].get_array()) {
      read_temporal_geometry(prism, feature);
    }
  }
  feature.is_several = feature.ends.size() > 1;
}

}  // namespace tsmini
