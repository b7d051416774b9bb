#include "encode/network.h"

#include <algorithm>
#include <utility>

namespace tsmini::encode {

Network make_network(const Model& model, const Geometry& geometry) {
  const NetSettings& settings = model.net;
  NetWeights weights = folded_weights(model);
  const auto packed = [&](const Linear& linear) { return panels_of(linear, geometry); };
  Network network;
  network.settings = settings;
  if (settings.sub_views) {
    std::transform(weights.convolutions.begin(), weights.convolutions.end(),
                   network.convolutions.begin(), packed);
    network.residual = packed(weights.residual);
  } else {
    network.grid = CellGrid(settings, model.frame);
    network.known_cells = std::move(weights.known);
    network.cells = std::move(weights.cells);
  }
  const bool modern = settings.block == BlockKind::modern;
  for (const LayerWeights& layer : weights.layers) {
    network.layers.push_back(
        {packed(layer.attention_in), packed(layer.attention_out),
         packed(modern ? interleaved_gate(layer.feed_in, geometry.lanes) : layer.feed_in),
         packed(layer.feed_out)});
  }
  network.head = packed(weights.head);
  if (modern) network.rotary = rotary_positions();
  if (!modern || !settings.sub_views) network.sinusoidal = sinusoidal_positions(settings.dimension);
  return network;
}

}  // namespace tsmini::encode
