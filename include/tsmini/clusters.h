// Trips in clusters, however they were found (tsmini/density_clusters.h, tsmini/medoids.h), and
// what is typical of each.
//
//   const Clusters clusters = dbscan(search, {.radius = 400}).clusters;
//   for (const ClusterSummary& c : summarize(search, clusters)) draw(c.medoid, c.size);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

// The label of a trip that is in no cluster.
inline constexpr std::int32_t noise = -1;

struct Clusters {
  // The cluster of each trip: 0 is the largest, ties to the lowest first trip.
  std::vector<std::int32_t> labels;
  std::size_t count = 0;
  std::size_t noise_trips = 0;

  friend bool operator==(const Clusters&, const Clusters&) = default;
};

struct ClusterSummary {
  std::size_t size = 0;
  // The member whose distances to all members, or to those of the sample, sum up to least.
  std::size_t medoid = 0;
  std::size_t medoid_sample = 0;  // how many were compared: `size` where the medoid is exact
  // Distances of all members but the medoid to it; 0 where there are none.
  double mean = 0, median = 0, farthest = 0;
};

struct SummaryOptions {
  std::size_t most_compared = 256;  // members of a cluster that are compared with each other
  std::uint64_t seed = 1;           // which, where there are more
};

// The summaries of the clusters, in the order of labels. Double precision, on all cores. Progress
// counts trips in clusters. A trip without distance must be noise.
std::vector<ClusterSummary> summarize(const NeighbourSearch& search, const Clusters& clusters,
                                      const SummaryOptions& options = {},
                                      const Progress& progress = {});

}  // namespace tsmini
