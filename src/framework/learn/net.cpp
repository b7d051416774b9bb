#include "learn/net.h"

namespace tsmini::learn {

Net::Net(const NetSettings& settings, const FeatureFrame& frame,
         std::span<const std::int64_t> cells, std::uint64_t seed, std::int64_t positions,
         const at::Device& device, at::ScalarType type)
    : settings_(settings), parameters_(seed) {
  check_settings(settings);
  if (settings.sub_views) {
    sub_views_.emplace(parameters_, settings);
  } else {
    cells_.emplace(parameters_, settings, CellGrid(settings, frame), cells);
  }
  for (std::size_t i = 0; i < settings.layers; ++i) blocks_.emplace_back(parameters_, settings, i);
  head_.emplace(parameters_, settings);
  parameters_.finish(device, type);
  rotary_ = rotary_table(positions, at::TensorOptions().device(device).dtype(type));
}

at::Tensor Net::embed(const Packed& points, const Pass& pass) const {
  Packed views =
      sub_views_ ? (*sub_views_)(parameters_, points, pass) : (*cells_)(parameters_, points);
  if (sub_views_ && settings_.block == BlockKind::vanilla)
    views.rows = views.rows + sinusoidal_positions(views.packing,
                                                   static_cast<std::int64_t>(settings_.dimension),
                                                   views.rows.options());
  for (const Block& block : blocks_) views.rows = block(parameters_, views, pass, rotary_);
  return (*head_)(parameters_, views);
}

}  // namespace tsmini::learn
