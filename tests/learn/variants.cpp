#include "learn/variants.h"

#include "base/random.h"

namespace tsmini {

NetSettings without_dropout(NetSettings settings) {
  settings.dropout = 0;
  return settings;
}

std::vector<Variant> learned_variants() {
  NetSettings base = without_dropout();
  base.hidden = 64;
  Variants all(base);
  all.add_usual();
  all.add("l2", [](NetSettings& s) { s.metric.kind = MetricKind::l2; });
  all.add("linf", [](NetSettings& s) { s.metric.kind = MetricKind::linf; });
  all.add("chebyshev", [](NetSettings& s) { s.metric = {MetricKind::chebyshev, 16}; });
  all.add("all pools", [](NetSettings& s) {
    s.pooling = {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last};
  });
  all.add("two layers", [](NetSettings& s) { s.layers = 2; });
  return all.take();
}

learn::Net net_for(const NetSettings& settings, const SmallBatch& batch, at::ScalarType type) {
  constexpr std::int64_t positions = 64;
  constexpr std::uint64_t seed = 7;
  return {settings, batch.frame, batch.known_cells(settings), seed, positions, at::kCPU, type};
}

void disturb(const learn::Net& net) {
  const at::NoGradGuard no_grad;
  Random random(3);
  for (at::Tensor tensor : net.parameters().trained()) {
    if (tensor.dim() != 1) continue;
    for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor[i] += random.uniform(-0.2, 0.2);
  }
}

}  // namespace tsmini
