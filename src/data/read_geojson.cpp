// GeoJSON (RFC 7946): LineString and MultiLineString, bare, in Features, in a FeatureCollection, or
// one per line. The id is the feature's "id" or properties.id; times are properties.times (or
// coordTimes, timestamps), one per position, numbers or dates. The lines of a MultiLineString
// become ID_0, ID_1, …; other geometries are counted and dropped.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/text.h"
#include "data/json_splitter.h"
#include "data/reader.h"

namespace tsmini {
namespace {

namespace json = simdjson::ondemand;

// One feature, gathered in whatever order its members come.
struct Feature {
  std::string geometry_type;
  std::vector<Position> points;
  std::vector<std::size_t> ends;  // of each line, in points
  std::vector<std::int64_t> times;
  std::string id, property_id;
  std::string bad_time;

  void clear() {
    geometry_type.clear();
    points.clear();
    ends.clear();
    times.clear();
    id.clear();
    property_id.clear();
    bad_time.clear();
  }
};

std::string scalar_text(json::value value) {
  const json::json_type type = value.type();
  if (type == json::json_type::string) return std::string(std::string_view(value.get_string()));
  if (type == json::json_type::number) {
    const std::string_view token = value.raw_json_token();
    return std::string(token.substr(0, token.find_first_of(" \t\r\n")));
  }
  return {};
}

void read_line(json::array coordinates, Feature& feature) {
  for (json::array position : coordinates) {
    Position p;
    std::size_t index = 0;
    for (json::value number : position) {
      if (index == 0) p.lon = number.get_double();
      if (index == 1) p.lat = number.get_double();
      ++index;
    }
    if (index < 2) throw simdjson::simdjson_error(simdjson::INDEX_OUT_OF_BOUNDS);
    feature.points.push_back(p);
  }
  feature.ends.push_back(feature.points.size());
}

void read_geometry(json::object geometry, Feature& feature) {
  feature.geometry_type = std::string_view(geometry["type"].get_string());
  if (feature.geometry_type == "LineString") {
    read_line(geometry["coordinates"].get_array(), feature);
  } else if (feature.geometry_type == "MultiLineString") {
    for (json::array line : geometry["coordinates"].get_array()) read_line(line, feature);
  }
}

// Flat, or a list for each line of a MultiLineString.
void read_times(json::array times, Feature& feature) {
  for (json::value value : times) {
    if (value.type() == json::json_type::array) {
      read_times(value.get_array(), feature);
      continue;
    }
    const std::string text = scalar_text(value);
    const auto time = time_from(text);
    if (!time && feature.bad_time.empty()) feature.bad_time = text.empty() ? "null" : text;
    feature.times.push_back(time.value_or(0));
  }
}

bool is_times_name(std::string_view key) {
  constexpr std::array<std::string_view, 4> names{"times", "coordTimes", "timestamps", "time"};
  return std::find(names.begin(), names.end(), key) != names.end();
}

void read_properties(json::object properties, Feature& feature) {
  for (auto member : properties) {
    const std::string_view key = member.unescaped_key();
    json::value value = member.value();
    const json::json_type type = value.type();
    if (key == "id" || key == "trip_id" || key == "traj_id") {
      if (feature.property_id.empty() || key == "id") feature.property_id = scalar_text(value);
    } else if (is_times_name(key) && type == json::json_type::array) {
      read_times(value.get_array(), feature);
    } else if (key == "coordinateProperties" && type == json::json_type::object) {
      read_properties(value.get_object(), feature);
    }
  }
}

void read_feature(json::object object, Feature& feature) {
  bool is_feature = false;
  for (auto member : object) {
    const std::string_view key = member.unescaped_key();
    json::value value = member.value();
    if (key == "geometry") {
      is_feature = true;
      if (value.type() == json::json_type::object) read_geometry(value.get_object(), feature);
    } else if (key == "properties" && value.type() == json::json_type::object) {
      read_properties(value.get_object(), feature);
    } else if (key == "id") {
      feature.id = scalar_text(value);
    }
  }
  if (!is_feature) {
    object.reset();
    read_geometry(object, feature);
  }
  if (feature.id.empty()) feature.id = feature.property_id;
}

void build_tracks(const Feature& feature, std::uint64_t line, TrackBuilder& builder) {
  builder.begin(line);
  const bool is_line = feature.geometry_type == "LineString";
  if (!is_line && feature.geometry_type != "MultiLineString") {
    return builder.drop(Drop::not_a_line);
  }
  if (!feature.bad_time.empty()) {
    return builder.reject(fmt::format("'{}' is not a time", printable(feature.bad_time)));
  }
  if (!feature.times.empty() && feature.times.size() != feature.points.size()) {
    return builder.reject(
        fmt::format("{} times for {} positions", feature.times.size(), feature.points.size()));
  }
  std::size_t at = 0;
  for (std::size_t part = 0; part < feature.ends.size(); ++part) {
    builder.begin(line);
    for (; at < feature.ends[part]; ++at) {
      if (!builder.add(feature.points[at].lon, feature.points[at].lat)) return;
      if (!feature.times.empty()) builder.add_time(feature.times[at]);
    }
    builder.end(is_line ? feature.id : part_id(feature.id, part));
  }
}

class GeojsonReader : public Reader {
 public:
  GeojsonReader(ByteSource& source, const ReadOptions& options)
      : splitter_(source), options_(options) {}

  bool fill(TrackBatch& batch) override {
    const std::uint64_t lines_before = splitter_.lines_read();
    const std::uint64_t bytes_before = splitter_.bytes_read();
    bool any = false;
    while (batch.text.size() < batch_bytes) {
      const std::size_t begin = batch.text.size();
      const JsonSplitter::Result result = splitter_.next(batch.text);
      if (result == JsonSplitter::Result::end) break;
      any = true;
      const std::uint64_t line = splitter_.line() - lines_before;
      if (result == JsonSplitter::Result::object) {
        batch.records.push_back({begin, batch.text.size() - begin, line});
      } else if (result == JsonSplitter::Result::too_large) {
        batch.problems.push_back(
            {line, fmt::format("the feature is larger than {} MiB", max_record_bytes >> 20), ""});
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
    thread_local Feature feature;
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
      build_tracks(feature, record.line, builder);
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

  JsonSplitter splitter_;
  const ReadOptions& options_;
};

}  // namespace

std::unique_ptr<Reader> make_geojson_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<GeojsonReader>(source, options);
}

}  // namespace tsmini
