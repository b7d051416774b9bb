#include "data/export_json.h"

#include <string>

#include "base/json.h"
#include "data/attribute_json.h"
#include "data/part_attribute.h"

namespace tsmini {

void append_json_string(TextBuffer& buffer, std::string_view text) {
  append(buffer, json_quoted(text));
}

void append_properties(TextBuffer& buffer, const Dataset& data, std::size_t index,
                       std::string_view between) {
  const auto append_name = [&](std::string_view name) {
    append(buffer, between);
    between = ",";
    append_json_string(buffer, name);
    buffer.push_back(':');
  };
  if (data.part(index) != Part::none) {
    append_name(part_attribute);
    append_json_string(buffer, name_of(data.part(index)));
  }
  for (const AttributeColumn& column : data.attributes()) {
    const AttributeValue value = column[index];
    if (!has_value(value) && index > 0) continue;
    append_name(column.name());
    append(buffer, json_text(value));
  }
}

void append_positions(TextBuffer& buffer, const Trajectory& t) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    append(buffer, i > 0 ? ",[" : "[");
    append_number(buffer, t.points[i].lon);
    buffer.push_back(',');
    append_number(buffer, t.points[i].lat);
    buffer.push_back(']');
  }
}

}  // namespace tsmini
