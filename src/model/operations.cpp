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

}  // namespace tsmini
