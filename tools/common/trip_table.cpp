#include "common/trip_table.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text_sink.h"
#include "common/feature.h"
#include "common/provenance.h"
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

bool is_found(const TripTable& table, std::string_view name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const TripColumn& c) { return c.name == name; });
}

// With what the trips know themselves, behind what was found.
TripTable with_attributes(TripTable table) {
  for (const AttributeColumn& column : table.data.attributes()) {
    if (column.name() == "id" || is_found(table, column.name())) continue;
    table.columns.push_back({column.name(), [column, indices = table.indices](std::size_t row) {
                               return column[indices[row]];
                             }});
  }
  return table;
}

void write_csv(const TripTable& table, const std::string& output, const Progress& progress) {
  TextSink sink(output);
  std::string header = "id";
  for (const TripColumn& column : table.columns) header += "," + quoted_if_needed(column.name);
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

// Pieces of one trip get ids of their own: ID_0, ID_1, …, as import names what it cuts.
class PieceNames {
 public:
  std::string next(std::string_view id) {
    return fmt::format("{}_{}", id, counts_[std::string(id)]++);
  }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
};

void write_dataset(const TripTable& table, const std::string& output, const Json& facts,
                   const Progress& progress) {
  DatasetWriter writer(output, table.data.info().coordinates);
  PieceNames names;
  std::vector<Part> parts;
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    const std::size_t index = table.indices[row];
    std::vector<Attribute> attributes;
    for (const AttributeColumn& column : table.data.attributes()) {
      if (!is_found(table, column.name())) attributes.push_back({column.name(), column[index]});
    }
    for (const TripColumn& column : table.columns) {
      attributes.push_back({column.name, column.value(row)});
    }
    Trajectory trip = table.trip(row);
    std::string name;
    if (table.piece) trip.id = name = names.next(trip.id);
    writer.add(trip, attributes);
    parts.push_back(table.data.part(index));
  }
  if (!table.data.info().has_split) parts.clear();
  writer.finish(parts, provenance_after(facts, table.data));
}

}  // namespace

void check_table_name(const std::string& output) {
  if (!output.empty()) style_of(output);
}

void TripTable::write(const std::string& output, const Json& facts, const Console& console) const {
  const Progress progress = console.progress("writing", Unit::trips);
  const Style style = style_of(output);
  if (style == Style::tsd) return write_dataset(*this, output, facts, progress);
  const TripTable whole = with_attributes(*this);
  const auto object = [&](std::size_t row) { return row_json(whole, row); };
  switch (style) {
    case Style::tsd: return;
    case Style::csv: return write_csv(whole, output, progress);
    case Style::json:
      return write_list(whole, output, json_opening(facts), "\n]}\n", progress,
                        [&](std::size_t row) { return line_of(object(row)); });
    case Style::geojson:
      return write_list(whole, output, "{\"type\":\"FeatureCollection\",\n\"features\":[", "\n]}\n",
                        progress,
                        [&](std::size_t row) { return feature_text(trip(row), object(row)); });
  }
}

}  // namespace tsmini::cli
