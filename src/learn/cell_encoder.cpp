#include <algorithm>
#include <cmath>

#include "learn/layers.h"

namespace tsmini::learn {

CellEncoder::CellEncoder(Parameters& parameters, const NetSettings& settings,
                         const FeatureFrame& frame)
    : columns_(static_cast<std::int64_t>(
          std::ceil((frame.high.x - frame.low.x) / settings.cell_metres))),
      rows_(static_cast<std::int64_t>(
          std::ceil((frame.high.y - frame.low.y) / settings.cell_metres))),
      dimension_(static_cast<std::int64_t>(settings.dimension)) {
  columns_ = std::max<std::int64_t>(columns_, 1);
  rows_ = std::max<std::int64_t>(rows_, 1);
  table_ = parameters.add_normal("cells.table", {columns_ * rows_, dimension_});
}

Packed CellEncoder::operator()(const Parameters& parameters, const Packed& points) const {
  const auto place = [&](std::int64_t axis, std::int64_t cells) {
    return (points.rows.select(1, axis) * static_cast<double>(cells))
        .floor()
        .clamp(0, static_cast<double>(cells - 1))
        .to(at::kLong);
  };
  const at::Tensor cell = place(1, rows_) * columns_ + place(0, columns_);
  const at::Tensor x = at::embedding(parameters[table_], cell);
  return {x + sinusoidal_positions(points.packing, dimension_, x.options()), points.packing};
}

}  // namespace tsmini::learn
