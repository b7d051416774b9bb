// GeoJSON (RFC 7946): LineString and MultiLineString, bare, in Features, in a FeatureCollection, or
// one per line; and MF-JSON (read_mfjson.cpp), which is like it. The id is the feature's "id" or
// properties.id; times are properties.times (or another name of geojson_times.h), one per position,
// numbers or dates, or the fourth numbers of all positions where these never decrease, as kepler.gl
// has them. Other properties become attributes. The lines of a MultiLineString become ID_0, ID_1,
// …; other geometries are counted and dropped. Positions are degrees of WGS84: an older file's
// "crs" that says otherwise is refused, be it of the collection, a feature or a geometry.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "base/text.h"
#include "base/utf8.h"
#include "data/geojson_times.h"
#include "data/json_feature.h"
#include "data/json_splitter.h"
#include "data/reader.h"

namespace tsmini {
namespace {

namespace json = simdjson::ondemand;

void read_line(json::array coordinates, JsonFeature& feature) {
  for (json::array position : coordinates) read_position(position, feature);
  feature.end_line();
}

// "EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/def/crs/EPSG/0/4326".
bool is_wgs84(std::string_view name) {
  const std::string_view last = name.substr(name.find_last_of(":/") + 1);  // npos + 1 is 0
  return last == "4326" || last == "4979" || equal_ignoring_case(last, "CRS84") ||
         equal_ignoring_case(last, "CRS84h");
}

// What a "crs" names, where that is not WGS84; empty where it is, or where it is null.
std::string foreign_crs(const std::string& text) {
  const auto crs = nlohmann::json::parse(text, nullptr, false);
  if (crs.is_null()) return {};
  const auto pointed = [&](const char* place) {
    const nlohmann::json::json_pointer pointer(place);
    if (!crs.is_object() || !crs.contains(pointer)) return std::string();
    const nlohmann::json& value = crs[pointer];
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  std::string name = pointed("/properties/name");
  if (name.empty()) name = pointed("/properties/code");
  if (is_wgs84(name)) return {};
  return name.empty() ? text : name;
}

std::string foreign_crs_text(std::string_view name) {
  return fmt::format("the crs '{}' is not WGS84", printable(name, 60));
}
constexpr const char* foreign_crs_hint =
    "convert it to EPSG:4326, for example with ogr2ogr -t_srs EPSG:4326; or add `planar` to take x "
    "and y as they are";

void read_coordinates(json::array coordinates, JsonFeature& feature) {
  if (feature.is_several) {
    for (json::array line : coordinates) read_line(line, feature);
  } else {
    read_line(coordinates, feature);
  }
}

// Keys are compared as they stand: what is unescaped twice outgrows the parser's memory for it.
// In one pass where "type" comes before "coordinates", as it mostly does.
void read_geometry(json::object geometry, JsonFeature& feature) {
  bool has_type = false, is_temporal = false, is_read = false;
  for (auto member : geometry) {
    const json::raw_json_string key = member.key();
    json::value value = member.value();
    if (key == "type") {
      const json::raw_json_string type = value.get_raw_json_string();
      has_type = true;
      is_temporal = is_temporal_type(type);
      feature.is_several = type == "MultiLineString";
      feature.is_line = type == "LineString" || feature.is_several;
    } else if (key == "crs") {
      read_crs(value, feature);
    } else if (key == "coordinates" && !is_read && feature.is_line) {
      is_read = true;
      read_coordinates(value.get_array(), feature);
    }
  }
  if (!has_type) throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
  if (!is_temporal && (is_read || !feature.is_line)) return;
  geometry.reset();
  if (is_temporal) return read_temporal_geometry(geometry, feature);
  read_coordinates(geometry["coordinates"].get_array(), feature);
}

bool is_times_name(std::string_view key) {
  return std::find(geojson_times_names.begin(), geojson_times_names.end(), key) !=
         geojson_times_names.end();
}

// True where the member holds times of the positions, which are then read.
bool read_as_times(std::string_view key, json::value& value, JsonFeature& feature) {
  const json::json_type type = value.type();
  if (is_times_name(key) && type == json::json_type::array) {
    read_times(value.get_array(), feature);
    return true;
  }
  if (key != "coordinateProperties" || type != json::json_type::object) return false;
  for (auto member : value.get_object()) {
    const std::string_view inner = member.unescaped_key();
    json::value list = member.value();
    read_as_times(inner, list, feature);
  }
  return true;
}

void read_properties(json::object properties, JsonFeature& feature) {
  for (auto member : properties) {
    const std::string_view key = member.unescaped_key();
    json::value value = member.value();
    if (!read_as_times(key, value, feature)) feature.properties.add(key, value);
  }
}

// What stands in for an id that the feature does not have is no attribute besides.
void choose_id(JsonFeature& feature) {
  for (const char* name : {"id", "trip_id", "traj_id"}) {
    if (feature.id.empty()) feature.id = feature.properties.take(name);
  }
}

void read_feature(json::object object, JsonFeature& feature) {
  bool is_feature = false;
  for (auto member : object) {
    const json::raw_json_string key = member.key();
    json::value value = member.value();
    const bool is_object = value.type() == json::json_type::object;
    if (key == "temporalGeometry" && is_object) {
      is_feature = feature.is_temporal = true;
      feature.points.clear();
      feature.ends.clear();
      read_temporal_geometry(value.get_object(), feature);
    } else if (key == "geometry") {
      is_feature = true;
      if (is_object && !feature.is_temporal) read_geometry(value.get_object(), feature);
    } else if (key == "properties" && is_object) {
      read_properties(value.get_object(), feature);
    } else if (key == "id") {
      feature.id = scalar_text(value);
    } else if (key == "crs") {
      read_crs(value, feature);
    }
  }
  if (!is_feature) {
    object.reset();
    read_geometry(object, feature);
  }
  choose_id(feature);
}

void take_fourth_for_times(JsonFeature& feature) {
  if (feature.times.empty() && feature.fourth.size() == feature.points.size() &&
      std::is_sorted(feature.fourth.begin(), feature.fourth.end())) {
    feature.times = feature.fourth;
  }
}

void build_tracks(JsonFeature& feature, std::uint64_t line, bool planar, TrackBuilder& builder) {
  builder.begin(line);
  if (!feature.is_line) return builder.drop(Drop::not_a_line);
  if (!feature.crs.empty() && !planar) {
    const std::string crs = foreign_crs(feature.crs);
    if (!crs.empty()) return builder.reject(foreign_crs_text(crs), foreign_crs_hint);
  }
  take_fourth_for_times(feature);
  if (!feature.times.empty() && feature.times.size() != feature.points.size() &&
      feature.problem.empty()) {
    feature.problem =
        fmt::format("{} times for {} positions", feature.times.size(), feature.points.size());
  }
  if (!feature.problem.empty()) return builder.reject(feature.problem);
  std::size_t at = 0;
  for (std::size_t part = 0; part < feature.ends.size(); ++part) {
    builder.begin(line);
    feature.properties.add_to(builder);
    for (; at < feature.ends[part]; ++at) {
      if (!builder.add(feature.points[at].lon, feature.points[at].lat)) return;
      if (!feature.times.empty()) builder.add_time(feature.times[at]);
    }
    builder.end(feature.is_several ? part_id(feature.id, part) : feature.id);
  }
}

class GeojsonReader : public Reader {
 public:
  GeojsonReader(ByteSource& source, const ReadOptions& options)
      : source_(source), splitter_(source, options.max_record_bytes), options_(options) {}

  bool fill(TrackBatch& batch) override {
    const std::uint64_t lines_before = splitter_.lines_read();
    const std::uint64_t bytes_before = splitter_.bytes_read();
    bool any = false;
    while (batch.text.size() < batch_bytes) {
      const std::size_t begin = batch.text.size();
      const JsonSplitter::Result result = splitter_.next(batch.text);
      check_crs();
      if (result == JsonSplitter::Result::end) break;
      any = true;
      const std::uint64_t line = splitter_.line() - lines_before;
      if (result == JsonSplitter::Result::object) {
        batch.records.push_back({begin, batch.text.size() - begin, line});
        gave_some_ = true;
      } else if (result == JsonSplitter::Result::too_large) {
        batch.problems.push_back(
            {line,
             fmt::format("the feature is larger than {} MiB", options_.max_record_bytes >> 20),
             ""});
      } else {
        batch.problems.push_back({line, splitter_.error(), "check that the file is complete"});
      }
    }
    batch.text.append(simdjson::SIMDJSON_PADDING, ' ');
    batch.lines = splitter_.lines_read() - lines_before;
    batch.bytes = splitter_.bytes_read() - bytes_before;
    return any;
  }

  void parse(TrackBatch& batch) const override {
    thread_local json::parser parser;
    thread_local JsonFeature feature;
    TrackBuilder builder(batch, options_);
    for (const TextRecord& record : batch.records) {
      feature.clear();
      try {
        json::document document = parser.iterate(batch.text.data() + record.begin, record.size,
                                                 batch.text.size() - record.begin);
        read_feature(document.get_object(), feature);
      } catch (const simdjson::simdjson_error& error) {
        builder.begin(record.line);
        builder.reject(fmt::format("the feature '{}' cannot be read: {}", printable(feature.id),
                                   describe(error.error())));
        continue;
      }
      build_tracks(feature, record.line, options_.planar, builder);
    }
  }

 private:
  static std::string_view describe(simdjson::error_code code) {
    switch (code) {
      case simdjson::NO_SUCH_FIELD: return "a geometry needs \"type\" and \"coordinates\"";
      case simdjson::INDEX_OUT_OF_BOUNDS: return "a position needs two numbers";
      case simdjson::NUMBER_ERROR: return "a coordinate is not a number";
      case simdjson::INCORRECT_TYPE: return "a member is not of the type that GeoJSON wants";
      default: return "it is not valid JSON";
    }
  }

  // Refuses a collection of a foreign CRS. Where that comes behind the features, these were taken
  // for degrees.
  void check_crs() {
    const std::string text = splitter_.take_crs();
    const std::string crs = text.empty() || options_.planar ? "" : foreign_crs(text);
    if (crs.empty()) return;
    const std::string what = fmt::format("{}: {}", source_.name(), foreign_crs_text(crs));
    if (gave_some_) throw Misread(ErrorCode::bad_input, what, foreign_crs_hint);
    throw Error(ErrorCode::bad_input, what, foreign_crs_hint);
  }

  ByteSource& source_;
  JsonSplitter splitter_;
  const ReadOptions& options_;
  bool gave_some_ = false;  // features
};

}  // namespace

std::unique_ptr<Reader> make_geojson_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<GeojsonReader>(source, options);
}

}  // namespace tsmini
