// How far apart two embeddings are.
//
// A model learns vectors whose distance stands in for a measure. Which distance is part of the
// model: sums fit measures that add up (dtw, edwp), maxima those that take the worst point
// (frechet, hausdorff). All four are true metrics, so that an index may rely on the triangle
// inequality.
//
//   l1         sum of absolute differences
//   l2         Euclidean
//   linf       the largest absolute difference
//   chebyshev  dimensions in groups of `group`: the sum over groups of the largest absolute
//              difference within the group (group 1 is l1, one group of all dimensions linf)
//
//   const double d = embedding_distance(model.net.metric, a, b);
//   std::cout << model.calibration(d) << '\n';  // about what the measure says (calibration.h)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace tsmini {

enum class MetricKind { l1, l2, linf, chebyshev };
inline constexpr std::array<std::string_view, 4> metric_kind_names{"l1", "l2", "linf", "chebyshev"};

std::string_view name_of(MetricKind kind);
// Throws Error(usage) that lists the names.
MetricKind metric_kind_from(std::string_view name);

struct EmbeddingMetric {
  MetricKind kind = MetricKind::l1;
  std::size_t group = 16;  // chebyshev only; divides the dimension

  friend bool operator==(const EmbeddingMetric&, const EmbeddingMetric&) = default;
};

// The distance of two embeddings in double precision, one pair at a time: the reference for faster
// code. a.size() == b.size().
double embedding_distance(const EmbeddingMetric& metric, std::span<const float> a,
                          std::span<const float> b);

// Beyond this, sums of squares would leave single precision: differences are up to 2e17, their
// squares 4e34, and 8,500 of these 3.4e38.
inline constexpr float largest_value = 1e17F;
// Whether a value of an embedding can be searched for; NaN cannot.
inline bool is_fit(float value) {
  return std::abs(value) <= largest_value;
}
// Whether an index takes an embedding: the distance of two such is a finite float by every metric,
// up to 8,500 dimensions.
inline bool is_comparable(std::span<const float> embedding) {
  return std::all_of(embedding.begin(), embedding.end(), is_fit);
}

}  // namespace tsmini
