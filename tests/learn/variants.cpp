#include "learn/variants.h"

#include "tsmini/recipe.h"

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

std::vector<LearnedCase> preset_cases() {
  std::vector<LearnedCase> all;
  for (const char* preset : {"paper", "default", "quick"}) {
    for (const Measure measure : {Measure::dtw, Measure::frechet}) {
      const Recipe recipe = recipe_for(preset, measure);
      all.push_back(
          {std::string(preset) + " " + std::string(name_of(measure)), recipe.net, recipe.loss});
    }
  }
  return all;
}

std::vector<LearnedCase> judged_cases() {
  std::vector<LearnedCase> all;
  for (const Variant& variant : learned_variants())
    all.push_back({variant.name, variant.settings, {}});
  for (const Variant& variant : net_variants()) {
    if (variant.name.starts_with("odd sizes") || variant.name == "three layers")
      all.push_back({variant.name, variant.settings, {}});
  }
  for (const LearnedCase& preset : preset_cases()) all.push_back(preset);
  for (LearnedCase& one : all) one.net = without_dropout(one.net);
  return all;
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
