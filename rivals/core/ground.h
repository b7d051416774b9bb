// What a rival knows of a city before any true distance: its box, its cells, its statistics.
//
// Cells are squares of 100 m over the box of all trips, made larger by 500 m on every side. Most
// rivals have a vector for every cell. A box may hold millions of cells, few of which any trip
// touches: only those that one touches, and their neighbours, are known. A point elsewhere counts
// as one of the known cell nearest to it.
//
//   Ground ground = common_ground(city);
//   std::int64_t row = ground.cells.row_at(trips[0][0]);     // of a table of vectors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tsmini/planar_set.h"

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// The trips of a city in metres of a plane (or in the unit of planar data).
struct City {
  PlanarSet all;    // of every part
  PlanarSet train;  // to learn from
};

PlanarBox box_of(const PlanarSet& trips);

class Cells {
 public:
  static constexpr double usual_size = 100, margin = 500;  // metres

  Cells() = default;
  // Cells of the box enlarged by the margin; known are those that a trip touches and their
  // neighbours. Throws Error(bad_input) for a box of more than 2^24 cells in an axis.
  Cells(const PlanarSet& trips, double size = usual_size);
  // Cells as a file kept them: known numbers rise.
  Cells(const PlanarBox& box, double size, std::vector<std::int64_t> known);

  const PlanarBox& box() const { return box_; }  // the enlarged one
  double size() const { return size_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }

  // Points outside the box count as on its border.
  std::int64_t column_at(const Planar& point) const;
  std::int64_t row_of_grid_at(const Planar& point) const;
  std::int64_t number_at(const Planar& point) const {
    return row_of_grid_at(point) * columns_ + column_at(point);
  }
  Planar centre_of(std::int64_t number) const;

  // Numbers of the known cells, rising; the place of each is its row in a table of vectors.
  const std::vector<std::int64_t>& known() const { return known_; }
  // The known cell at a point, or nearest to it: usually O(1), for a point far from all linear in
  // the known cells.
  std::int64_t row_at(const Planar& point) const;
  // For every known cell the places of its known neighbours (at most 8), by direction: E, NE, N,
  // NW, W, SW, S, SE. -1 where there is none.
  std::vector<std::array<std::int64_t, 8>> neighbours() const;

 private:
  void index_known();
  std::int64_t place_of(std::int64_t number) const;  // -1 where it is not known

  PlanarBox box_;
  double size_ = usual_size;
  std::int64_t columns_ = 1, rows_ = 1;
  std::vector<std::int64_t> known_;
  std::unordered_map<std::int64_t, std::int64_t> places_;
};

// A trip as cells: runs of points in one cell become the first of them.
struct CellRun {
  Planar point;      // the first of the run
  std::int64_t row;  // of the known cell
};
std::vector<CellRun> runs_of(const Cells& cells, std::span<const Planar> trip);

// Mean and deviation of the coordinates, by axis.
struct Statistics {
  double mean_x = 0, mean_y = 0, deviation_x = 1, deviation_y = 1;

  double x(const Planar& point) const { return (point.x - mean_x) / deviation_x; }
  double y(const Planar& point) const { return (point.y - mean_y) / deviation_y; }
};
Statistics statistics_of(const PlanarSet& trips);

struct Ground {
  Cells cells;
  Statistics statistics;  // of the training trips
  Tensors tensors;        // what single rivals add, on the CPU

  std::string facts() const;  // all but the tensors and the known cells, as JSON
};
// What all rivals share.
Ground common_ground(const City& city);

// ground.tensors["vectors"], a row a known cell. Throws Error(bad_input) where they do not fit.
const Tensor& cell_vectors_of(const Ground& ground, std::int64_t width);

// The ground as a file keeps it: "ground.NAME" for each tensor, and "ground.known" with column and
// row of every known cell.
Tensors tensors_of(const Ground& ground);
// Throws Error(bad_input) where they do not fit together.
Ground ground_from(const std::string& facts, const Tensors& tensors);

}  // namespace tsmini::rivals
