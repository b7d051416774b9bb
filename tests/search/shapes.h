// Metrics and dimensions that exercise every path of the distance kernels.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/embedding.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "search/embeddings.h"

namespace tsmini {

struct MetricShape {
  EmbeddingMetric metric;
  std::size_t dimension;
};

inline std::vector<MetricShape> all_shapes() {
  std::vector<MetricShape> shapes;
  for (const std::size_t dimension : Sizes{1, 3, 15, 16, 17, 48, 64, 100, 128, 130, 512}) {
    for (const MetricKind kind : {MetricKind::l1, MetricKind::l2, MetricKind::linf}) {
      shapes.push_back({{kind, 1}, dimension});
    }
    for (const std::size_t group : Sizes{1, 2, 3, 4, 5, 8, 13, 16, 25, 32, 64, 128}) {
      if (dimension % group == 0) shapes.push_back({{MetricKind::chebyshev, group}, dimension});
    }
  }
  return shapes;
}

inline std::string text_of(const MetricShape& shape) {
  return fmt::format("{} {} of {} on {}", name_of(shape.metric.kind), shape.metric.group,
                     shape.dimension, simd_target());
}

}  // namespace tsmini
