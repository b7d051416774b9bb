// What a search for a piece of a trip has found, as the verb find tells it: rows of a file, a table
// for the eye, a map.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/find.h"
#include "tsmini/trajectory.h"

#include "common/console.h"
#include "common/measure_options.h"
#include "common/trip_table.h"

namespace tsmini::cli {

// What is looked for.
struct Piece {
  MeasuredSet set;  // of one trip
  std::size_t first = 0, last = 0;

  Trajectory trip() const;
  std::span<const Planar> points() const { return set.points[0].subspan(first, last - first + 1); }
};

using PieceMatches = std::vector<PieceMatch>;

// A row a match: where it is in its trip, and how near. The trips and the matches must live as
// long.
TripTable rows_of(const MeasuredSet& trips, const Piece& piece, const PieceMatches& matches);

// Units of distances and of lengths.
std::string table_of(const TripTable& rows, const PieceMatches& matches, std::string_view unit,
                     std::string_view length_unit);

// The piece, its thousand best matches, and in the colour of its best the rest of each trip.
void draw_found(const std::string& file, const MeasuredSet& trips, const Piece& piece,
                const TripTable& rows, const PieceMatches& matches, const MeasureSetup& setup,
                const Console& console);

}  // namespace tsmini::cli
