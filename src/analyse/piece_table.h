// The table of a piece against the points of a trip, one row of it at a time, in double precision.
//
// A row is a point of the trip, a column one of the piece. A path may begin in the first column of
// any row that the caller lets it begin in, and carries along where it did. So one table holds
// those of all stretches: its value at the end of a row is the least over their starts, to the last
// bit, as sum and maximum grow with what they are given, rounded or not.
//
//   PieceTable table(Measure::dtw, piece);
//   for (std::size_t i = 0; i < trip.size(); ++i) {
//     table.add(trip[i], i);
//     use(table.distance(), table.first(), i);  // of the best match that ends at i
//   }
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tsmini/measure.h"

namespace tsmini {

class PieceTable {
 public:
  // dtw or frechet. The piece must outlive it.
  PieceTable(Measure measure, std::span<const Planar> piece);

  // The next point of the trip, with which a match may begin or not.
  void add(const Planar& point, std::size_t number, bool may_begin = true);

  // The distance of the best match that ends with the point added last; infinite where there is
  // none.
  double distance() const;
  // The number of the point that it begins with: one of those that give this distance.
  std::size_t first() const { return row_.back().first; }

 private:
  struct Cell {
    double value;
    std::size_t first;
  };

  static const Cell& better(const Cell& a, const Cell& b);
  template <class Join>
  void fill(const Planar& point, Cell corner, const Join& join);

  Measure measure_;
  std::span<const Planar> piece_;
  std::vector<Cell> row_;
};

}  // namespace tsmini
