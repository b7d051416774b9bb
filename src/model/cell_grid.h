// The grid of a network without sub-views: square cells over the model's frame.
//
// A cell that a trip to learn from touches has a vector of its own, all others share one: memory
// grows with the trips, not with the land between them. The model file names the cells that are
// known in 'cells.known', a column and a row each, in rising order of their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/model.h"

namespace tsmini {

struct CellGrid {
  CellGrid() = default;
  // Throws Error(bad_input) where a side has more than 2^24 cells.
  CellGrid(const NetSettings& settings, const FeatureFrame& frame);

  // The number of the cell at these shares of the frame's width and height.
  std::int64_t number_at(float x, float y) const;

  std::int64_t columns = 1, rows = 1;
};

// The row of the table that holds a cell's vector: its place among the known ones, from 1 on; 0
// for a cell that is not known. `known` rises.
std::size_t row_of_cell(std::span<const std::int64_t> known, std::int64_t number);

// The places of cells, as 'cells.known' has them, and back. Throws Error(bad_input) where cells do
// not rise or leave the grid.
std::vector<float> places_of_cells(const CellGrid& grid, std::span<const std::int64_t> known);
std::vector<std::int64_t> cells_at_places(const CellGrid& grid, std::span<const float> places);

// The cells that a model knows; none where it has no 'cells.known'. Throws as cells_at_places()
// does.
std::vector<std::int64_t> known_cells(const Model& model);

}  // namespace tsmini
