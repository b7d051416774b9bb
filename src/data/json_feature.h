// One feature of GeoJSON or MF-JSON, gathered in whatever order its members come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <simdjson.h>

#include "data/json_properties.h"
#include "data/track_batch.h"

namespace tsmini {

struct JsonFeature {
  bool is_line = false;      // of whatever kind; what is not is dropped
  bool is_several = false;   // lines, each a trajectory of its own
  bool is_temporal = false;  // MF-JSON: its temporal geometry counts
  std::vector<Position> points;
  std::vector<std::size_t> ends;  // of each line, in points
  std::vector<std::int64_t> times;
  std::vector<std::int64_t> fourth;  // number of each position that has one, read as a time
  std::string id;
  std::string problem;  // what makes it a bad record
  std::string crs;      // JSON, where there is one
  JsonProperties properties;

  void clear();
  void end_line() { ends.push_back(points.size()); }
};

// [lon, lat, …]
void read_position(simdjson::ondemand::array position, JsonFeature& feature);
// A list of times, or lists of them one after the other.
void read_times(simdjson::ondemand::array times, JsonFeature& feature);
void read_time(simdjson::ondemand::value value, JsonFeature& feature);
void read_crs(simdjson::ondemand::value value, JsonFeature& feature);

// These two are in read_mfjson.cpp. They throw simdjson_error.
bool is_temporal_type(simdjson::ondemand::raw_json_string type);
void read_temporal_geometry(simdjson::ondemand::object geometry, JsonFeature& feature);

}  // namespace tsmini
