// The loop of every scan: rows are compared stretch by stretch, each with all queries while it is
// in the first cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "search/allowed.h"
#include "search/k_nearest.h"

namespace tsmini {

struct Stretches {
  std::size_t rows;       // in all
  std::size_t row_bytes;  // of one
  std::size_t queries;
};

// The `count` nearest allowed rows of each query. measure(query, first, count, distances) compares
// a query with a stretch.
template <class Distance, class Measure>
std::vector<Nearest<Distance>> scan_stretches(const Stretches& of, std::size_t count,
                                              const Allowed& allowed, const Measure& measure) {
  constexpr std::size_t stretch_bytes = 32 << 10;
  const std::size_t stretch = std::max<std::size_t>(stretch_bytes / of.row_bytes, 4);
  std::vector<Nearest<Distance>> nearest(of.queries, Nearest<Distance>(count));
  std::vector<Distance> distances(stretch);
  for (std::size_t first = 0; first < of.rows; first += stretch) {
    const std::size_t rows = std::min(stretch, of.rows - first);
    for (std::size_t q = 0; q < of.queries; ++q) {
      measure(q, first, rows, distances.data());
      Distance limit = nearest[q].limit();
      for (std::size_t i = 0; i < rows; ++i) {
        if (!(distances[i] <= limit)) continue;
        const auto row = static_cast<std::uint32_t>(first + i);
        if (!allowed(row)) continue;
        nearest[q].offer(distances[i], row);
        limit = nearest[q].limit();
      }
    }
  }
  return nearest;
}

}  // namespace tsmini
