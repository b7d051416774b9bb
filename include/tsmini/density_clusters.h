// Clusters as places where many trips are alike, and noise between them: no number of clusters, no
// shape, any measure.
//
//   const auto radius = cluster_radius(search, 4).radius;
//   const DensityClusters one = dbscan(search, {.radius = radius, .min_points = 5}, progress);
//   const DensityClusters many = hdbscan(search, {.min_cluster_size = 20}, progress);
//
// dbscan (Ester et al. 1996): a trip is core where `min_points` trips, itself among them, are
// within the radius. Core trips within the radius of each other are in one cluster; a trip that is
// not core joins the cluster of its nearest core trip within the radius, ties to the lower index,
// so that the result does not depend on the order of trips. The rest is noise.
//
// hdbscan (Campello, Moulavi and Sander 2013): the clusters of all radii at once, of which some are
// chosen: the leaves, which fall apart into no smaller ones, or those that last longest (excess of
// mass). Trips of a city shade into each other; what lasts longest there is the city, in one
// cluster of most trips, while leaves are its routes. Excess of mass suits data in clumps. The core
// distance of a trip is the radius at which dbscan would call it core; two trips are joined at the
// largest of their core distances and their distance. The minimum spanning tree is that of the
// complete graph, found by exact search without computing it (Borůvka). Where several joins happen
// at the same distance they are one, of any number of parts, so that ties do not depend on the
// order of trips; the original joins two at a time. A distance of 0 counts as half the smallest
// that is not, where the original has infinite density. As there, all trips together are no
// cluster.
//
// Exact, and the same on any number of threads; what is counted in `work` may differ. In edwp,
// whose distance depends on which trip is the query, hdbscan joins two trips at that of the one
// that found the other, so that joins and what comes of them may differ too. Memory is linear in
// the trips, 12 bytes times `min_points` a trip for hdbscan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/clusters.h"
#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

struct DensityClusters {
  Clusters clusters;
  std::vector<std::uint8_t> core;  // dbscan: whether a trip is core
  // hdbscan: that of each trip; infinite where too few have a distance.
  std::vector<double> core_distance;
  std::vector<double> stability;  // hdbscan: of each cluster; excess of mass chooses by it
  SearchWork work;
};

struct DbscanOptions {
  double radius = 0;
  std::size_t min_points = 5;
};

// Throws Error(usage) for a radius that is negative or not a number, and for no points.
DensityClusters dbscan(const NeighbourSearch& search, const DbscanOptions& options,
                       const Progress& progress = {});

enum class ClusterSelection { leaves, excess_of_mass };

struct HdbscanOptions {
  std::size_t min_points = 5;
  std::size_t min_cluster_size = 5;  // at least 2
  ClusterSelection selection = ClusterSelection::leaves;
};

// Throws Error(usage) for no points, a cluster size below 2, and points that would not fit into
// most_graph_bytes (tsmini/neighbour_graph.h).
DensityClusters hdbscan(const NeighbourSearch& search, const HdbscanOptions& options = {},
                        const Progress& progress = {});

}  // namespace tsmini
