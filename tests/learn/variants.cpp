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

void disturb(learn::Net<double>& net) {
  Random random(3);
  const std::span<double> weights = net.parameters().weights();
  for (const auto& [spec, offset] : net.parameters().entries()) {
    if (!spec.trained() || spec.shape.size() != 1) continue;
    for (std::size_t i = 0; i < spec.size(); ++i) weights[offset + i] += random.uniform(-0.2, 0.2);
  }
}

}  // namespace tsmini
