#include "learn/layers.h"

namespace tsmini::learn {

CellEncoder::CellEncoder(Parameters& parameters, const NetSettings& settings, const CellGrid& grid,
                         std::span<const std::int64_t> known)
    : grid_(grid), dimension_(static_cast<std::int64_t>(settings.dimension)) {
  const auto count = static_cast<std::int64_t>(known.size());
  table_ = parameters.add_normal("cells.table", {count + 1, dimension_});
  known_ = parameters.add_buffer("cells.known", {count, 2}, places_of_cells(grid, known));
}

Packed CellEncoder::operator()(const Parameters& parameters, const Packed& points) const {
  const auto place = [&](std::int64_t axis, std::int64_t cells) {
    return (points.rows.select(1, axis) * static_cast<double>(cells))
        .floor()
        .clamp(0, static_cast<double>(cells - 1))
        .to(at::kLong);
  };
  const at::Tensor number = place(1, grid_.rows) * grid_.columns + place(0, grid_.columns);
  const at::Tensor places = parameters[known_].to(at::kLong);
  const at::Tensor known = places.select(1, 1) * grid_.columns + places.select(1, 0);
  const at::Tensor after = at::searchsorted(known, number, false, true);
  const at::Tensor found = after.gt(0).logical_and(known.take((after - 1).clamp_min(0)).eq(number));
  const at::Tensor x = at::embedding(parameters[table_], after * found);
  return {x + sinusoidal_positions(points.packing, dimension_, x.options()), points.packing};
}

}  // namespace tsmini::learn
