#include "model/cell_grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {
namespace {

// As many as single precision counts, in which 'cells.known' has its places.
constexpr double most_cells = 1 << 24;

std::int64_t cells_along(double low, double high, double side) {
  const double cells = std::ceil((high - low) / side);
  if (!(cells <= most_cells))
    throw Error(ErrorCode::bad_input,
                fmt::format("cells {} m wide are too many over {:.0f} m", side, high - low),
                "use wider ones: `net.cell_metres=100`", "net.cell_metres");
  return std::max<std::int64_t>(static_cast<std::int64_t>(cells), 1);
}

std::int64_t place_along(float share, std::int64_t cells) {
  const auto count = static_cast<float>(cells);
  return static_cast<std::int64_t>(std::clamp(std::floor(share * count), 0.0F, count - 1));
}

}  // namespace

CellGrid::CellGrid(const NetSettings& settings, const FeatureFrame& frame)
    : columns(cells_along(frame.low.x, frame.high.x, settings.cell_metres)),
      rows(cells_along(frame.low.y, frame.high.y, settings.cell_metres)) {}

std::int64_t CellGrid::number_at(float x, float y) const {
  return place_along(y, rows) * columns + place_along(x, columns);
}

std::size_t row_of_cell(std::span<const std::int64_t> known, std::int64_t number) {
  const auto found = std::lower_bound(known.begin(), known.end(), number);
  if (found == known.end() || *found != number) return 0;
  return static_cast<std::size_t>(found - known.begin()) + 1;
}

std::vector<float> places_of_cells(const CellGrid& grid, std::span<const std::int64_t> known) {
  std::vector<float> places;
  for (const std::int64_t number : known) {
    const std::int64_t row = number / grid.columns, column = number % grid.columns;
    places.insert(places.end(), {static_cast<float>(column), static_cast<float>(row)});
  }
  return places;
}

std::vector<std::int64_t> cells_at_places(const CellGrid& grid, std::span<const float> places) {
  std::vector<std::int64_t> known;
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
    const float column = places[i], row = places[i + 1];
    const bool inside = column >= 0 && column < static_cast<float>(grid.columns) && row >= 0 &&
                        row < static_cast<float>(grid.rows);
    const std::int64_t number =
        inside ? static_cast<std::int64_t>(row) * grid.columns + static_cast<std::int64_t>(column)
               : 0;
    if (!inside || (!known.empty() && number <= known.back()))
      throw Error(ErrorCode::bad_input,
                  fmt::format("tensor 'cells.known' names column {}, row {} of a grid of {} × {}",
                              column, row, grid.columns, grid.rows),
                  "cells must lie within the grid and rise; the file is altered");
    known.push_back(number);
  }
  return known;
}

std::vector<std::int64_t> known_cells(const Model& model) {
  const auto found = model.tensors.find("cells.known");
  if (found == model.tensors.end()) return {};
  return cells_at_places(CellGrid(model.net, model.frame), found->second.values);
}

}  // namespace tsmini
