// A point a row: id,time,lon,lat, then the part where there is a split, then the attributes, which
// are the same in all rows of a trajectory.
#include <iterator>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "base/csv_text.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/exporter.h"
#include "data/part_attribute.h"

namespace tsmini {
namespace {

class CsvExporter : public Exporter {
 public:
  using Exporter::Exporter;

  void begin(TextBuffer& buffer) const override {
    append(buffer, exported_csv_header);
    if (data().info().has_split) append(buffer, fmt::format(",{}", part_attribute));
    for (const AttributeColumn& column : data().attributes()) {
      buffer.push_back(',');
      append(buffer, quoted_if_needed(column.name()));
    }
    buffer.push_back('\n');
  }

  void append_trip(TextBuffer& buffer, std::size_t index) override {
    const Trajectory t = data()[index];
    if (!ids_.insert(t.id).second) {
      refuse_trip(t, "is there twice, and a row of csv would not tell which it belongs to",
                  "choose tsv or geojson");
    }
    check_seconds(t);
    const std::string id = t.id.empty() ? "\"\"" : quoted_if_needed(t.id);
    const std::string rest = attributes_of_trip(index);
    for (std::size_t i = 0; i < t.size(); ++i) {
      append(buffer, id);
      buffer.push_back(',');
      if (t.has_times()) fmt::format_to(std::back_inserter(buffer), "{}", t.times[i]);
      buffer.push_back(',');
      append_number(buffer, t.points[i].lon);
      buffer.push_back(',');
      append_number(buffer, t.points[i].lat);
      append(buffer, rest);
      buffer.push_back('\n');
    }
  }

  bool has_records() const override { return false; }

 private:
  std::string attributes_of_trip(std::size_t index) const {
    std::string text;
    const Part part = data().part(index);
    if (data().info().has_split) text += ',';
    if (part != Part::none) text += name_of(part);
    for (const AttributeColumn& column : data().attributes()) {
      text += ',';
      text += quoted_if_needed(text_of(column[index]));
    }
    return text;
  }

  std::unordered_set<std::string_view> ids_;
};

}  // namespace

std::unique_ptr<Exporter> make_csv_exporter(const Dataset& data) {
  return std::make_unique<CsvExporter>(data);
}

}  // namespace tsmini
