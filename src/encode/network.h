// A network ready to run: its weights in panels for one SIMD target, and the target's forward pass.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/pulse.h"
#include "encode/panels.h"
#include "encode/positions.h"
#include "encode/weights.h"
#include "model/architecture.h"
#include "model/cell_grid.h"

namespace tsmini::encode {

struct PackedLayer {
  Panels attention_in, attention_out, feed_in, feed_out;
};

struct Network {
  NetSettings settings;
  std::array<Panels, convolution_count> convolutions;
  Panels residual;
  CellGrid grid;
  std::vector<std::int64_t> known_cells;
  std::vector<float> cells;
  std::vector<PackedLayer> layers;
  Panels head;
  PositionTable rotary, sinusoidal;  // where the network has them
};

Network make_network(const Model& model, const Geometry& geometry);

// The code of one SIMD target.
struct Target {
  Geometry geometry;
  // Embeds a trajectory of `points` rows of features, at least shortest_input. Uses memory of the
  // thread. The pulse counts pairs of points that attend to each other, in each head.
  void (*forward)(const Network& network, const float* features, std::size_t points,
                  float* embedding, Pulse& pulse) = nullptr;
};
// The code of the SIMD target in use.
Target target_in_use();

}  // namespace tsmini::encode
