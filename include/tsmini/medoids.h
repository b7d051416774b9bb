// Clusters around k trips of the set, the medoids: for those who know how many they want.
//
//   const MedoidClusters found = k_medoids(search, {.k = 12}, progress);
//   for (const std::size_t trip : found.medoids) draw(trip);
//
// FasterPAM (Schubert and Rousseeuw 2021) on a sample, of which all distances are kept in single
// precision; then every trip joins its nearest medoid, exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/clusters.h"
#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

// k-medoids of n items given their square distance matrix (row-major): the cluster of each item,
// 0 … k-1 in the order of their first items. Seeded starts as k-means++ makes them, then exchanges
// of a medoid for another item (FasterPAM) until none saves anything; the best of `restarts`. O(n²)
// a round, of which there are few. Throws Error(usage) where k is 0 or above n.
std::vector<std::uint32_t> k_medoids(std::span<const float> distances, std::size_t n, std::size_t k,
                                     std::uint64_t seed, std::size_t restarts = 5,
                                     const Heartbeat& heartbeat = {});

inline constexpr std::size_t most_medoid_sample = 8192;

struct MedoidOptions {
  std::size_t k = 10;         // fewer where there are not so many distinct trips
  std::size_t sample = 2048;  // distinct trips; memory is 4 bytes times its square
  std::uint64_t seed = 1;
  std::size_t restarts = 5;
};

struct MedoidClusters {
  Clusters clusters;                 // noise: trips without distance alone
  std::vector<std::size_t> medoids;  // of cluster 0, 1, …
  std::size_t sample = 0;            // distinct trips they were chosen among
  double mean = 0;                   // distance of a trip to its medoid
  SearchWork work;
};

// Progress counts pairs of the sample, then trips. Throws Error(usage) for k of 0, a k above the
// sample, and a sample above most_medoid_sample.
MedoidClusters k_medoids(const NeighbourSearch& search, const MedoidOptions& options = {},
                         const Progress& progress = {});

}  // namespace tsmini
