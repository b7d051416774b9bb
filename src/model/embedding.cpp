#include "tsmini/embedding.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/enum_names.h"

namespace tsmini {
namespace {

double difference(float a, float b) {
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

// The sum over groups of the largest difference within the group.
double grouped_distance(std::size_t group, std::span<const float> a, std::span<const float> b) {
  assert(group > 0 && a.size() % group == 0);
  double sum = 0;
  for (std::size_t first = 0; first < a.size(); first += group) {
    double largest = 0;
    for (std::size_t i = first; i < first + group; ++i) {
      const double d = difference(a[i], b[i]);
      if (d > largest || std::isnan(d)) largest = d;
    }
    sum += largest;
  }
  return sum;
}

}  // namespace

std::string_view name_of(MetricKind kind) {
  return name_in(metric_kind_names, kind);
}

MetricKind metric_kind_from(std::string_view name) {
  return named<MetricKind>(metric_kind_names, name, "metric", "net.metric");
}

double embedding_distance(const EmbeddingMetric& metric, std::span<const float> a,
                          std::span<const float> b) {
  assert(a.size() == b.size());
  switch (metric.kind) {
    case MetricKind::l1: return grouped_distance(1, a, b);
    case MetricKind::linf: return grouped_distance(std::max<std::size_t>(a.size(), 1), a, b);
    case MetricKind::chebyshev: return grouped_distance(metric.group, a, b);
    case MetricKind::l2: break;
  }
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = difference(a[i], b[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace tsmini
