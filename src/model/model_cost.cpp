#include "tsmini/model_cost.h"

#include "model/architecture.h"
#include "model/net_features.h"

namespace tsmini {

double forward_operations(const NetSettings& net, std::size_t points) {
  const auto n = static_cast<double>(feature_rows(points)), d = static_cast<double>(net.dimension);
  constexpr auto head = static_cast<double>(head_size), window = static_cast<double>(window_rows);
  const double rows = net.sub_views ? n - static_cast<double>(lost_rows) : n;
  const double heads = head * static_cast<double>(net.heads);
  const double shared = heads + 2 * head * static_cast<double>(net.key_heads);
  const double matrices = net.block == BlockKind::modern ? 3 : 2;  // of the feed-forward part
  double products = static_cast<double>(net.pooling.size()) * d * d;
  if (net.sub_views) {
    const auto widths = convolution_widths(net);
    products += n * static_cast<double>(input_width * feature_columns(net)) + rows * d * d;
    for (std::size_t i = 0; i < convolution_count; ++i)
      products += (n - (window - 1) * static_cast<double>(i + 1)) * window *
                  static_cast<double>(widths[i] * widths[i + 1]);
  }
  products += static_cast<double>(net.layers) *
              (rows * (d * shared + heads * d + matrices * d * static_cast<double>(net.hidden)) +
               2 * rows * rows * heads);
  return 2 * products;
}

std::uint64_t parameter_count(const NetSettings& net, std::size_t cells) {
  std::uint64_t count = 0;
  for (const TensorSpec& tensor : network_tensors(net, cells)) {
    if (tensor.trained()) count += tensor.size();
  }
  return count;
}

std::uint64_t parameter_count(const Model& model) {
  std::uint64_t count = 0;
  for (const auto& [name, tensor] : model.tensors) count += tensor.values.size();
  for (const TensorSpec& tensor : network_tensors(model.net)) {
    const auto kept = model.tensors.find(tensor.name);
    if (!tensor.trained() && kept != model.tensors.end()) count -= kept->second.values.size();
  }
  return count;
}

}  // namespace tsmini
