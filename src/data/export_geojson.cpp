// GeoJSON (RFC 7946): a LineString a trajectory, with properties "id", "times" and its attributes.
// The form that kepler.gl animates is GeoJSON too, with [lon, lat, altitude, unix seconds].
#include <iterator>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "data/export_json.h"
#include "data/geojson_times.h"

namespace tsmini {
namespace {

// An attribute may be called "id"; then the id of the trip is that of the feature.
void append_beginning(TextBuffer& buffer, std::string_view id, bool is_id_taken) {
  append(buffer,
         is_id_taken ? R"({"type":"Feature","id":)" : R"({"type":"Feature","properties":{"id":)");
  append_json_string(buffer, id);
  if (is_id_taken) append(buffer, R"(,"properties":{)");
}

class GeojsonExporter : public FeatureExporter {
 public:
  explicit GeojsonExporter(const Dataset& data)
      : FeatureExporter(data),
        is_id_taken_(data.attribute("id") != nullptr),
        times_name_(free_times_name(data)) {}

 private:
  static std::string_view free_times_name(const Dataset& data) {
    for (const std::string_view name : geojson_times_names) {
      if (data.attribute(name) == nullptr) return name;
    }
    throw Error(ErrorCode::bad_input, "attributes have all names that times could have in GeoJSON",
                "choose tsv or mfjson");
  }

  void append_feature(TextBuffer& buffer, std::size_t index) const override {
    const Trajectory t = data()[index];
    check_seconds(t);
    append_beginning(buffer, t.id, is_id_taken_);
    std::string_view between = is_id_taken_ ? "" : ",";
    if (t.has_times()) {
      fmt::format_to(std::back_inserter(buffer), "{}\"{}\":[{}]", between, times_name_,
                     fmt::join(t.times, ","));
      between = ",";
    }
    append_properties(buffer, data(), index, between);
    append(buffer, R"(},"geometry":{"type":"LineString","coordinates":[)");
    append_positions(buffer, t);
    append(buffer, "]}}");
  }

  bool is_id_taken_;
  std::string_view times_name_;
};

class KeplerExporter : public FeatureExporter {
 public:
  explicit KeplerExporter(const Dataset& data)
      : FeatureExporter(data), is_id_taken_(data.attribute("id") != nullptr) {
    check_degrees(data, "the trips of kepler.gl");
  }

 private:
  void append_feature(TextBuffer& buffer, std::size_t index) const override {
    const Trajectory t = data()[index];
    check_has_times(t, "a trip of kepler.gl");
    check_seconds(t);
    append_beginning(buffer, t.id, is_id_taken_);
    append_properties(buffer, data(), index, is_id_taken_ ? "" : ",");
    append(buffer, R"(},"geometry":{"type":"LineString","coordinates":[)");
    for (std::size_t i = 0; i < t.size(); ++i) {
      append(buffer, i > 0 ? ",[" : "[");
      append_number(buffer, t.points[i].lon);
      buffer.push_back(',');
      append_number(buffer, t.points[i].lat);
      fmt::format_to(std::back_inserter(buffer), ",0,{}]", t.times[i]);
    }
    append(buffer, "]}}");
  }

  bool is_id_taken_;
};

}  // namespace

std::unique_ptr<Exporter> make_geojson_exporter(const Dataset& data) {
  return std::make_unique<GeojsonExporter>(data);
}

std::unique_ptr<Exporter> make_kepler_exporter(const Dataset& data) {
  return std::make_unique<KeplerExporter>(data);
}

}  // namespace tsmini
