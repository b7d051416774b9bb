// Makes clusters from a spanning tree: those of all radii at once, of which the lasting ones are
// chosen.
//
// Read from the farthest join to the nearest, a cluster either loses a few trips, fewer than
// `min_cluster_size` at a time, or falls apart into clusters; all joins at one distance happen at
// once. Its stability is the sum, over its trips, of how much density (1 / distance) rises from
// where it begins to where the trip leaves it. Chosen are those that fall apart into no others
// (leaves), or those whose stability is at least that of what is chosen within them (excess of
// mass).
//
//   const ChosenClusters chosen = choose_clusters(joins, trips, 5, ClusterSelection::leaves);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/density_clusters.h"

#include "analyse/spanning_tree.h"

namespace tsmini {

struct ChosenClusters {
  std::vector<std::uint32_t> clusters;  // of each trip; no_cluster where it is in none
  std::vector<double> stability;        // of each cluster
};

// `joins` is a spanning tree of trips 0 … trips - 1.
ChosenClusters choose_clusters(std::vector<Join> joins, std::size_t trips,
                               std::size_t min_cluster_size, ClusterSelection selection);

}  // namespace tsmini
