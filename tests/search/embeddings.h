// Embeddings for tests, and the slow, simple search that the index is compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "tsmini/embedding.h"
#include "tsmini/embedding_index.h"

#include "base/random.h"
#include "measure/rounding.h"
#include "search/distance_kernels.h"
#include "search/lane_layout.h"

namespace tsmini {

// Rows around 30 centres, like those of trips in a city.
inline std::vector<float> clustered_rows(std::size_t count, std::size_t dimension,
                                         std::uint64_t seed) {
  constexpr std::size_t centres = 30;
  std::vector<float> centre(centres * dimension), rows;
  Random places(7);
  for (float& x : centre) x = static_cast<float>(places.normal());
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = random.below(centres);
    for (std::size_t k = 0; k < dimension; ++k) {
      rows.push_back(centre[c * dimension + k] + 0.3F * static_cast<float>(random.normal()));
    }
  }
  return rows;
}

using Sizes = std::vector<std::size_t>;

inline std::span<const float> row_of(std::span<const float> rows, std::size_t dimension,
                                     std::size_t i) {
  return rows.subspan(i * dimension, dimension);
}

// Every distance by the double twin.
inline std::vector<double> true_distances(const EmbeddingMetric& metric,
                                          std::span<const float> rows,
                                          std::span<const float> query) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < rows.size() / query.size(); ++i) {
    distances.push_back(embedding_distance(metric, query, row_of(rows, query.size(), i)));
  }
  return distances;
}

// How far an index may be from the double twin, relative. A difference is rounded once, which the
// largest of some keeps; and each addition on the way of a term to the end rounds once more, those
// of blocks and those that join lanes. A square errs by three roundings; the root halves what its
// sum errs and adds its own.
inline double allowed_error(const EmbeddingMetric& metric, std::size_t dimension) {
  const LaneLayout layout(metric, dimension, row_lanes);
  const double additions =
      static_cast<double>(layout.blocks() - 1) + std::log2(static_cast<double>(layout.groups()));
  const bool squares = metric.kind == MetricKind::l2;
  return unit_roundoff * (squares ? (3 + additions) / 2 + 1 : 1 + additions);
}

// How much nearer than another a row may be, as a share, that an index puts behind it: each of the
// two distances errs by `error`, one upwards and one downwards.
inline double allowed_swap(double error) {
  return 1 - (1 - error) / (1 + error);
}

// The share of the k nearest allowed rows by the double twin that is among the hits. One that is
// as near as the farthest hit, as far as distances with an error of `error` can tell, may have
// given way to it. 0 where a row is found twice, or one that is not allowed.
template <class Allowed>
double recall(const std::vector<Hit>& hits, const std::vector<double>& truth, std::size_t k,
              double error, const Allowed& allowed) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (std::uint32_t i = 0; i < truth.size(); ++i) {
    if (allowed(i)) sorted.emplace_back(truth[i], i);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.resize(std::min(k, sorted.size()));
  if (sorted.empty()) return 1;
  std::size_t found = 0;
  double farthest = 0;
  std::set<std::uint32_t> different;
  for (const Hit& hit : hits) {
    if (hit.row >= truth.size() || !allowed(hit.row) || !different.insert(hit.row).second) return 0;
    farthest = std::max(farthest, truth[hit.row]);
  }
  for (const auto& [distance, row] : sorted) {
    const bool is_tie =
        hits.size() >= sorted.size() && distance >= farthest * (1 - allowed_swap(error));
    found += static_cast<std::size_t>(different.contains(row) || is_tie);
  }
  return static_cast<double>(found) / static_cast<double>(sorted.size());
}

}  // namespace tsmini
