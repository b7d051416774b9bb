#include <bit>

#include "learn/layers.h"
#include "learn/pools.h"

namespace tsmini::learn {

Head::Head(Parameters& parameters, const NetSettings& settings)
    : pools_(pool_bits(settings.pooling)), unit_norm_(settings.unit_norm) {
  const auto width = static_cast<std::int64_t>(settings.dimension);
  const std::int64_t pooled = std::popcount(pools_) * width;
  weight_ = parameters.add_uniform("head.weight", {width, pooled}, pooled);
  if (unit_norm_) bias_ = parameters.add_uniform("head.bias", {width}, pooled);
}

at::Tensor Head::operator()(const Parameters& parameters, const Packed& views) const {
  const at::Tensor pooled = pool(views.rows, pools_, views.packing);
  if (!unit_norm_) return at::mm(pooled, parameters[weight_].t());
  const at::Tensor e = at::addmm(parameters[bias_], pooled, parameters[weight_].t());
  return e / at::norm(e, 2, {1}, true).clamp_min(1e-12);
}

}  // namespace tsmini::learn
