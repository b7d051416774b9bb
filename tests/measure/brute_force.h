// What a search has to find: every distance in double precision, sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/pair_engine.h"

namespace tsmini {

inline constexpr double everywhere = std::numeric_limits<double>::infinity();

inline std::vector<Neighbour> brute_force(const PairEngine& engine, std::span<const Planar> query,
                                          std::size_t k, double radius,
                                          std::size_t excluded = ExactSearch::nothing) {
  std::vector<double> distances(engine.size());
  engine.one_to_many(query, std::span<double>(distances));
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i != excluded && distances[i] <= radius) all.push_back({i, distances[i]});
  }
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
  });
  all.resize(std::min(k, all.size()));
  return all;
}

}  // namespace tsmini
