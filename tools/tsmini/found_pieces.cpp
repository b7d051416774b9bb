#include "found_pieces.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "tsmini/map.h"
#include "tsmini/map_lines.h"

#include "base/amounts.h"
#include "common/distance_text.h"
#include "common/shown.h"
#include "common/text_columns.h"
#include "common/values.h"
#include "drawing.h"

namespace tsmini::cli {
namespace {

// A legend of more nobody reads, and a page of very many no browser draws.
constexpr std::size_t most_drawn = 1000;

// Points `first` to `first + count - 1`.
Trajectory stretch(const Trajectory& trip, std::size_t first, std::size_t count) {
  return {trip.id, trip.points.subspan(first, count),
          trip.has_times() ? trip.times.subspan(first, count) : trip.times};
}

}  // namespace

Trajectory Piece::trip() const {
  return stretch(set.data[set.indices.front()], first, last - first + 1);
}

TripTable rows_of(const MeasuredSet& trips, const Piece& piece, const PieceMatches& matches) {
  TripTable table{trips.data, {}, {}};
  table.query = piece.trip();
  for (const PieceMatch& m : matches) table.indices.push_back(trips.indices[m.trip]);
  const auto whole = [&](std::size_t row) { return trips.data[trips.indices[matches[row].trip]]; };
  table.piece = [whole, &matches](std::size_t row) {
    return stretch(whole(row), matches[row].first, matches[row].last - matches[row].first + 1);
  };
  const auto time = [whole](std::size_t row, std::size_t point) -> AttributeValue {
    const Trajectory trip = whole(row);
    if (!trip.has_times()) return {};
    return trip.times[point];
  };
  const auto integer = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  table.columns = {
      {"rank", [=](std::size_t row) -> AttributeValue { return integer(row + 1); }},
      {"first",
       [=, &matches](std::size_t row) -> AttributeValue { return integer(matches[row].first); }},
      {"last",
       [=, &matches](std::size_t row) -> AttributeValue { return integer(matches[row].last); }},
      {"begin", [=, &matches](std::size_t row) { return time(row, matches[row].first); }},
      {"end", [=, &matches](std::size_t row) { return time(row, matches[row].last); }},
      {"length", [&matches](std::size_t row) -> AttributeValue { return matches[row].length; }},
      {"distance", [&matches](std::size_t row) -> AttributeValue { return matches[row].distance; }},
  };
  return table;
}

std::string table_of(const TripTable& rows, const PieceMatches& matches, std::string_view unit,
                     std::string_view length_unit) {
  if (matches.empty()) return "no match\n";
  TextColumns table({"rank", "distance", "length", "points", "begins", "id"});
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const PieceMatch& m = matches[i];
    const Trajectory trip = rows.trip(i);
    table.add({std::to_string(i + 1), distance_text(m.distance, unit, false),
               distance_text(m.length, length_unit, false),
               fmt::format("{} to {}", m.first, m.last),
               trip.has_times() ? iso_time(trip.times.front()) : "", shown(trip.id)});
  }
  return table.text();
}

void draw_found(const std::string& file, const MeasuredSet& trips, const Piece& piece,
                const TripTable& rows, const PieceMatches& matches, const MeasureSetup& setup,
                const Console& console) {
  const std::string_view unit = unit_of(setup.measure(), setup.space().kind());
  Map map;
  map.line_of_trip.resize(trips.size(), Map::no_line);
  std::vector<AnswerLine> answers;
  const std::size_t drawn = std::min(matches.size(), most_drawn);
  for (std::size_t i = 0; i < drawn; ++i) {
    answers.push_back({rows.trip(i), distance_text(matches[i].distance, unit, false)});
    std::uint32_t& line = map.line_of_trip[matches[i].trip];
    line = std::min(line, static_cast<std::uint32_t>(i + 1));  // the first is the piece
  }
  map.title = fmt::format(
      "{} of {}{}", counted(matches.size(), "match"), piece.trip().id,
      drawn < matches.size() ? fmt::format(", the nearest {}", with_thousands(drawn)) : "");
  map.subtitle = fmt::format("{} · points {} to {} · in {}", name_of(setup.measure()), piece.first,
                             piece.last, counted(trips.size(), "trip"));
  map.ground = ground_of(trips.data, trips.indices);
  map.coordinates = trips.data.info().coordinates;
  map.lines = answer_lines(piece.trip(), answers);
  map.lines.front().note = "looked for";
  map.lines.front().opacity = 0.6;  // darker than any ground
  map.shown = extent_of(map.lines, map.coordinates);
  draw_to(file, map, console);
}

}  // namespace tsmini::cli
