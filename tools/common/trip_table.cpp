#include "common/trip_table.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text_sink.h"
#include "common/feature.h"
#include "data/csv_fields.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class Style { csv, json, geojson, tsd };

Style style_of(const std::string& output) {
  if (output == "-") return Style::json;
  std::filesystem::path name = output;
  if (name.extension() == ".tsd") return Style::tsd;
  if (name.extension() == ".gz") name = name.stem();
  if (name.extension() == ".csv") return Style::csv;
  if (name.extension() == ".json") return Style::json;
  if (name.extension() == ".geojson") return Style::geojson;
  throw Error(ErrorCode::usage, fmt::format("which format should {} have?", output),
              "end its name in .csv, .json, .geojson or .tsd");
}

Json json_of(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<decltype(held), const std::monostate&>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

// The row as an object: its id and what was found.
Json row_json(const TripTable& table, std::size_t row) {
  Json json = {{"id", table.trip(row).id}};
  for (const TripColumn& column : table.columns) json[column.name] = json_of(column.value(row));
  return json;
}

std::string csv_row(const TripTable& table, std::size_t row) {
  std::string text = quoted_if_needed(table.trip(row).id);
  for (const TripColumn& column : table.columns) {
    text += "," + quoted_if_needed(text_of(column.value(row)));
  }
  return text + "\n";
}

void write_csv(const TripTable& table, const std::string& output, const Progress& progress) {
  TextSink sink(output);
  std::string header = "id";
  for (const TripColumn& column : table.columns) header += "," + column.name;
  sink.write(header + "\n");
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    sink.write(csv_row(table, row));
  }
  sink.commit();
}

// A list of lines between `opening` and `closing`.
template <class Line>
void write_list(const TripTable& table, const std::string& output, std::string_view opening,
                std::string_view closing, const Progress& progress, const Line& line) {
  TextSink sink(output);
  sink.write(opening);
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    sink.write(row == 0 ? "\n" : ",\n");
    sink.write(line(row));
  }
  sink.write(closing);
  sink.commit();
}

std::string json_opening(const Json& facts) {
  std::string text = line_of(facts);
  text.pop_back();
  return text + (facts.empty() ? "" : ",\n") + "\"trips\":[";
}

void write_dataset(const TripTable& table, const std::string& output, const Progress& progress) {
  DatasetWriter writer(output, table.data.info().coordinates);
  std::vector<Part> parts;
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    const std::size_t index = table.indices[row];
    std::vector<Attribute> attributes;
    for (const AttributeColumn& column : table.data.attributes()) {
      const bool is_replaced =
          std::any_of(table.columns.begin(), table.columns.end(),
                      [&](const TripColumn& c) { return c.name == column.name(); });
      if (!is_replaced) attributes.push_back({column.name(), column[index]});
    }
    for (const TripColumn& column : table.columns) {
      attributes.push_back({column.name, column.value(row)});
    }
    writer.add(table.trip(row), attributes);
    parts.push_back(table.data.part(index));
  }
  if (!table.data.info().has_split) parts.clear();
  writer.finish(parts, table.data.info().provenance);
}

}  // namespace

void check_table_name(const std::string& output) {
  if (!output.empty()) style_of(output);
}

void TripTable::write(const std::string& output, const Json& facts, const Console& console) const {
  const Progress progress = console.progress("writing", Unit::trips);
  switch (style_of(output)) {
    case Style::csv: return write_csv(*this, output, progress);
    case Style::tsd: return write_dataset(*this, output, progress);
    case Style::json:
      return write_list(*this, output, json_opening(facts), "\n]}\n", progress,
                        [&](std::size_t row) { return line_of(row_json(*this, row)); });
    case Style::geojson:
      return write_list(
          *this, output, "{\"type\":\"FeatureCollection\",\n\"features\":[", "\n]}\n", progress,
          [&](std::size_t row) { return feature_text(trip(row), row_json(*this, row)); });
  }
}

}  // namespace tsmini::cli
