// How the kernels see an embedding metric: as dimensions a group. 0 is l2; 1 is l1; more is the sum
// over groups of the largest absolute difference, one group of all being linf.
#pragma once

#include <cstddef>

#include "tsmini/embedding.h"

namespace tsmini {

inline std::size_t group_size(const EmbeddingMetric& metric, std::size_t dimension) {
  switch (metric.kind) {
    case MetricKind::l1: return 1;
    case MetricKind::l2: return 0;
    case MetricKind::linf: return dimension;
    case MetricKind::chebyshev: return metric.group;
  }
  return 1;
}

}  // namespace tsmini
