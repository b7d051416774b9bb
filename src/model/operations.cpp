#include "model/operations.h"

#include "model/net_features.h"

namespace tsmini {

double forward_operations(const NetSettings& net, std::size_t points) {
  const auto n = static_cast<double>(feature_rows(points)), d = static_cast<double>(net.dimension);
  const double rows = net.sub_views ? n - 6 : n;
  const double heads = 32.0 * static_cast<double>(net.heads);
  const double shared = heads + 64.0 * static_cast<double>(net.key_heads);
  const double matrices = net.block == BlockKind::modern ? 3 : 2;  // of the feed-forward part
  double products = static_cast<double>(net.pooling.size()) * d * d;
  if (net.sub_views) {
    products += n * 16 * static_cast<double>(feature_columns(net));
    products += (n - 2) * 48 * 32 + (n - 4) * 96 * 64 + rows * 192 * d + rows * d * d;
  }
  products += static_cast<double>(net.layers) *
              (rows * (d * shared + heads * d + matrices * d * static_cast<double>(net.hidden)) +
               2 * rows * rows * heads);
  return 2 * products;
}

std::uint64_t parameter_count(const NetSettings& net, std::size_t cells) {
  const std::uint64_t d = net.dimension, heads = 32 * net.heads, keys = 64 * net.key_heads;
  const bool vanilla = net.block == BlockKind::vanilla;
  std::uint64_t count = net.pooling.size() * d * d + (net.unit_norm ? d : 0);
  if (net.sub_views) {
    count += 16 * feature_columns(net);
    count += 48 * 32 + 96 * 64 + 192 * d + 2 * (32 + 64 + d);  // with gain and shift of the norms
    count += d * d + d;
  } else {
    count += (cells + 1) * d;
  }
  const std::uint64_t attention = d * (heads + keys) + heads * d;
  const std::uint64_t feed = vanilla ? 2 * d * net.hidden + net.hidden + d : 3 * d * net.hidden;
  const std::uint64_t norms = (vanilla ? 4 : 2) * d;
  return count + net.layers * (attention + feed + norms);
}

std::uint64_t parameter_count(const Model& model) {
  std::uint64_t count = 0;
  for (const auto& [name, tensor] : model.tensors) {
    const bool kept = name.ends_with(".running") || name == "cells.known";
    if (!kept) count += tensor.values.size();
  }
  return count;
}

}  // namespace tsmini
