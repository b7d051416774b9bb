#include "info_attributes.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini::cli {
namespace {

// The least and the most of numbers; the first of other values, and nothing.
struct Extremes {
  AttributeValue least, most;
};

Extremes extremes_of(const AttributeColumn& column, std::size_t rows) {
  const bool is_ordered =
      column.type() == AttributeType::integer || column.type() == AttributeType::number;
  Extremes found;
  for (std::size_t i = 0; i < rows; ++i) {
    const AttributeValue value = column[i];
    if (!has_value(value)) continue;
    if (!has_value(found.least) || (is_ordered && value < found.least)) found.least = value;
    if (!is_ordered) break;
    if (!has_value(found.most) || value > found.most) found.most = value;
  }
  return found;
}

nlohmann::ordered_json json_of(const AttributeValue& value) {
  return nlohmann::ordered_json::parse(json_text(value));
}

}  // namespace

nlohmann::ordered_json attributes_json(const Dataset& data) {
  auto all = nlohmann::ordered_json::array();
  for (const AttributeColumn& column : data.attributes()) {
    const Extremes extremes = extremes_of(column, data.size());
    nlohmann::ordered_json json = {
        {"name", column.name()}, {"type", name_of(column.type())}, {"values", column.count()}};
    json[has_value(extremes.most) ? "min" : "example"] = json_of(extremes.least);
    if (has_value(extremes.most)) json["max"] = json_of(extremes.most);
    all.push_back(std::move(json));
  }
  return all;
}

void add_attributes(const Dataset& data, Table& table) {
  if (data.attributes().empty()) table.add("attributes", "none");
  for (const AttributeColumn& column : data.attributes()) {
    const Extremes extremes = extremes_of(column, data.size());
    const std::string values =
        has_value(extremes.most)
            ? fmt::format("{} to {}", text_of(extremes.least), text_of(extremes.most))
            : fmt::format("such as '{}'", printable(text_of(extremes.least)));
    const bool is_first = &column == data.attributes().data();
    table.add(is_first ? "attributes" : "",
              fmt::format("{}: {}, {} values, {}", printable(column.name()), name_of(column.type()),
                          with_thousands(column.count()), values));
  }
}

}  // namespace tsmini::cli
