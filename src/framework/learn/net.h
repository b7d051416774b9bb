// The network: points of many trajectories in, one embedding each out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "learn/layers.h"
#include "model/net_features.h"

namespace tsmini::learn {

class Net {
 public:
  // `positions`: the longest trajectory it will see. `cells`: for a net without sub-views, those
  // that it knows (model/cell_grid.h). Throws Error(usage) for settings that cannot be built.
  Net(const NetSettings& settings, const FeatureFrame& frame, std::span<const std::int64_t> cells,
      std::uint64_t seed, std::int64_t positions, const at::Device& device,
      at::ScalarType type = at::kFloat);

  // points: [rows, feature_columns(settings)]; the result is [count, dimension].
  at::Tensor embed(const Packed& points, const Pass& pass) const;

  const NetSettings& settings() const { return settings_; }
  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  NetSettings settings_;
  Parameters parameters_;
  std::optional<SubViewEncoder> sub_views_;
  std::optional<CellEncoder> cells_;
  std::vector<Block> blocks_;
  std::optional<Head> head_;
  at::Tensor rotary_;
};

}  // namespace tsmini::learn
