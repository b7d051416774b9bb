// MF-JSON (OGC 19-045, Moving Features): a Feature a trajectory, whose temporal geometry is a
// MovingPoint. Times are dates in UTC.
#include "base/text.h"
#include "data/export_json.h"

namespace tsmini {
namespace {

class MfjsonExporter : public FeatureExporter {
 public:
  explicit MfjsonExporter(const Dataset& data) : FeatureExporter(data) {
    check_degrees(data, "MF-JSON");
  }

 private:
  void append_feature(TextBuffer& buffer, std::size_t index) const override {
    const Trajectory t = data()[index];
    check_has_times(t, "a MovingPoint");
    check_dates(t);
    append(buffer, R"({"type":"Feature","id":)");
    append_json_string(buffer, t.id);
    append(buffer, R"(,"properties":{)");
    append_properties(buffer, data(), index, "");
    append(buffer, R"(},"temporalGeometry":{"type":"MovingPoint","datetimes":[)");
    for (std::size_t i = 0; i < t.size(); ++i) {
      append(buffer, i > 0 ? ",\"" : "\"");
      append(buffer, iso_time(t.times[i]));
      buffer.push_back('"');
    }
    append(buffer, R"(],"coordinates":[)");
    append_positions(buffer, t);
    append(buffer, R"(],"interpolation":"Linear"}})");
  }
};

}  // namespace

std::unique_ptr<Exporter> make_mfjson_exporter(const Dataset& data) {
  return std::make_unique<MfjsonExporter>(data);
}

}  // namespace tsmini
