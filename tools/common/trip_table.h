// What was found, a row a trip: for a spreadsheet, for a program, for a map, or as a data set of
// the same trips that know it.
//
//   TripTable table{trips.data, trips.indices, {}};
//   table.columns.push_back({"cluster", [&](std::size_t row) { return cluster_of(row); }});
//   table.write("clusters.geojson", {{"measure", "frechet"}}, console);
//
// The kind of file follows from its name: .csv (id and the columns), .json (the facts, and the rows
// in "trips"), .geojson (features with the columns as properties), .tsd (a data set with the
// columns as attributes, behind those it had, and the facts in its provenance). What the trips know
// themselves is in all of them. Where an attribute of theirs has the name of a column, the column
// takes its place; where rows are pieces of trips the attribute stays too, as own_NAME.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"

#include "common/console.h"

namespace tsmini::cli {

struct TripColumn {
  std::string name;
  std::function<AttributeValue(std::size_t row)> value;  // texts live as long as the table
};

struct TripTable {
  Dataset data;
  std::vector<std::size_t> indices;  // of the trip of each row
  std::vector<TripColumn> columns;   // besides the id
  // What a row has of its trip, where that is not all of it.
  std::function<Trajectory(std::size_t row)> piece = {};
  // What the rows answer, where they do: in .geojson a feature of its own, before theirs, and
  // "role" and "query" tell them apart, as in the answers of other verbs (answers.h).
  std::optional<Trajectory> query = {};

  std::size_t size() const { return indices.size(); }
  Trajectory trip(std::size_t row) const { return piece ? piece(row) : data[indices[row]]; }

  // "-" is JSON on standard output.
  void write(const std::string& output, const nlohmann::ordered_json& facts,
             const Console& console) const;
};

// Throws Error(usage) where a name asks for none of these: before long work.
void check_table_name(const std::string& output);

}  // namespace tsmini::cli
