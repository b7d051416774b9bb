#include "data/json_feature.h"

#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini {

namespace json = simdjson::ondemand;

void JsonFeature::clear() {
  is_line = is_several = is_temporal = false;
  points.clear();
  ends.clear();
  times.clear();
  fourth.clear();
  id.clear();
  problem.clear();
  crs.clear();
  properties.clear();
}

void read_position(json::array position, JsonFeature& feature) {
  Position p;
  std::size_t index = 0;
  for (json::value number : position) {
    if (index == 0) p.lon = number.get_double();
    if (index == 1) p.lat = number.get_double();
    if (index == 3) {
      if (const auto time = time_from(scalar_text(number))) feature.fourth.push_back(*time);
    }
    ++index;
  }
  if (index < 2) throw simdjson::simdjson_error(simdjson::INDEX_OUT_OF_BOUNDS);
  feature.points.push_back(p);
}

void read_time(json::value value, JsonFeature& feature) {
  const std::string text = scalar_text(value);
  const auto time = time_from(text);
  if (!time && feature.problem.empty()) {
    feature.problem = fmt::format("'{}' is not a time", text.empty() ? "null" : printable(text));
  }
  feature.times.push_back(time.value_or(0));
}

void read_times(json::array times, JsonFeature& feature) {
  for (json::value value : times) {
    if (value.type() == json::json_type::array) {
      read_times(value.get_array(), feature);
    } else {
      read_time(value, feature);
    }
  }
}

void read_crs(json::value value, JsonFeature& feature) {
  if (value.type() == json::json_type::object) {
    json::object crs = value.get_object();
    feature.crs = std::string_view(crs.raw_json());
  } else if (!value.is_null()) {
    feature.crs = "\"?\"";
  }
}

}  // namespace tsmini
