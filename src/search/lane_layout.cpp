#include "search/lane_layout.h"

#include <bit>
#include <cassert>

namespace tsmini {
namespace {

std::size_t group_size(const EmbeddingMetric& metric, std::size_t dimension) {
  switch (metric.kind) {
    case MetricKind::linf: return dimension;
    case MetricKind::chebyshev: return metric.group;
    default: return 1;
  }
}

std::size_t quotient_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

}  // namespace

LaneLayout::LaneLayout(const EmbeddingMetric& metric, std::size_t dimension, std::size_t lanes)
    : metric_(metric), lanes_(lanes) {
  const std::size_t group = group_size(metric, dimension);
  assert(group > 0 && dimension % group == 0);
  const std::size_t count = dimension / group;
  groups_ = std::min(lanes, std::bit_ceil(count));
  const std::size_t abreast = lanes / groups_;  // values of a group in one vector
  blocks_ = quotient_up(count, groups_);
  steps_ = quotient_up(group, abreast);
  for (std::size_t i = 0; i < dimension; ++i) {
    const std::size_t g = i / group, e = i % group;
    const std::size_t vector = g / groups_ * steps_ + e / abreast;
    const std::size_t lane = e % abreast * groups_ + g % groups_;
    places_.push_back(static_cast<std::uint32_t>(vector * lanes + lane));
  }
}

}  // namespace tsmini
