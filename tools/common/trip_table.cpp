#include "common/trip_table.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/csv_text.h"
#include "base/json.h"
#include "base/text_sink.h"
#include "common/feature.h"
#include "common/provenance_after.h"

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

// The row as an object: its id and what was found.
std::string row_json(const TripTable& table, std::size_t row) {
  std::string json = R"({"id":)" + json_quoted(table.trip(row).id);
  for (const TripColumn& column : table.columns) {
    json += "," + json_quoted(column.name) + ":" + json_text(column.value(row));
  }
  return json + "}";
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

// What an attribute of the trips is called beside what was found; none where that takes its place,
// as a new cluster that of an old one. What is known of a trip is not replaced by what a piece of
// it is.
std::optional<std::string> own_name(const TripTable& table, const std::string& name) {
  if (!is_found(table, name)) return name;
  if (!table.piece) return std::nullopt;
  std::string own = "own_" + name;
  while (is_found(table, own) || table.data.attribute(own) != nullptr) own.insert(0, "own_");
  return own;
}

// The trips' own columns: their attributes.
std::vector<TripColumn> own_columns(const TripTable& table) {
  std::vector<TripColumn> columns;
  for (const AttributeColumn& column : table.data.attributes()) {
    if (auto name = own_name(table, column.name())) {
      columns.push_back({std::move(*name), [column, indices = table.indices](std::size_t row) {
                           return column[indices[row]];
                         }});
    }
  }
  return columns;
}

// The table with the trips' own columns behind.
TripTable with_attributes(TripTable table) {
  for (TripColumn& column : own_columns(table)) {
    if (column.name != "id") table.columns.push_back(std::move(column));
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

std::string json_opening(const Json& facts) {
  std::string text = line_of(facts);
  text.pop_back();
  return text + (facts.empty() ? "" : ",\n") + "\"trips\":[";
}

void write_json(const TripTable& table, const std::string& output, const Json& facts,
                const Progress& progress) {
  TextSink sink(output);
  sink.write(json_opening(facts));
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    sink.write((row == 0 ? "\n" : ",\n") + row_json(table, row));
  }
  sink.write("\n]}\n");
  sink.commit();
}

// The table with the columns role and query.
TripTable with_roles(TripTable table) {
  if (!table.query) return table;
  table.columns.insert(
      table.columns.begin(),
      {{"role", [](std::size_t) { return AttributeValue(std::string_view("answer")); }},
       {"query", [id = table.query->id](std::size_t) { return AttributeValue(id); }}});
  return table;
}

void write_features(const TripTable& table, const std::string& output, const Progress& progress) {
  TextSink sink(output);
  sink.write("{\"type\":\"FeatureCollection\",\n\"features\":[");
  std::string_view between = "\n";
  const auto write = [&](const Trajectory& trip, const std::string& properties) {
    sink.write(std::exchange(between, ",\n"));
    sink.write(feature_text(trip, properties));
  };
  if (table.query) write(*table.query, line_of({{"role", "query"}, {"id", table.query->id}}));
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    write(table.trip(row), row_json(table, row));
  }
  sink.write("\n]}\n");
  sink.commit();
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
  std::vector<TripColumn> columns = own_columns(table);
  columns.insert(columns.end(), table.columns.begin(), table.columns.end());
  std::vector<Part> parts;
  for (std::size_t row = 0; row < table.size(); ++row) {
    progress({row, table.size()});
    std::vector<Attribute> attributes;
    attributes.reserve(columns.size());
    for (const TripColumn& column : columns) attributes.push_back({column.name, column.value(row)});
    Trajectory trip = table.trip(row);
    std::string name;
    if (table.piece) trip.id = name = names.next(trip.id);
    writer.add(trip, attributes);
    parts.push_back(table.data.part(table.indices[row]));
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
  if (style == Style::geojson) {
    return write_features(with_attributes(with_roles(*this)), output, progress);
  }
  const TripTable whole = with_attributes(*this);
  if (style == Style::csv) return write_csv(whole, output, progress);
  write_json(whole, output, facts, progress);
}

}  // namespace tsmini::cli
