#include <limits>

#include "tsmini/density_clusters.h"

#include "analyse/condensed_tree.h"
#include "analyse/distinct_trips.h"
#include "analyse/numbering.h"
#include "analyse/options.h"
#include "analyse/spanning_tree.h"

namespace tsmini {
namespace {

// Trips with a distance, numbered through, for the tree of joins.
struct Through {
  explicit Through(const DistinctTrips& distinct) {
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      firsts.push_back(static_cast<std::uint32_t>(trips.size()));
      for (const std::uint32_t trip : distinct.copies(i)) trips.push_back(trip);
    }
    firsts.push_back(static_cast<std::uint32_t>(trips.size()));
  }

  std::vector<std::uint32_t> firsts;  // of each distinct trip
  std::vector<std::uint32_t> trips;
};

// Copies are joined to the first of them where both are core.
std::vector<Join> with_copies_joined(const SpanningTree& tree, const Through& through) {
  std::vector<Join> joins;
  for (const Join& join : tree.joins()) {
    joins.push_back({join.distance, through.firsts[join.a], through.firsts[join.b]});
  }
  for (std::size_t i = 0; i + 1 < through.firsts.size(); ++i) {
    const std::uint32_t first = through.firsts[i];
    for (std::uint32_t copy = first + 1; copy < through.firsts[i + 1]; ++copy) {
      joins.push_back({tree.core_distances()[i], first, copy});
    }
  }
  return joins;
}

}  // namespace

DensityClusters hdbscan(const NeighbourSearch& search, const HdbscanOptions& options,
                        const Progress& progress) {
  check_at_least(options.min_points, 1, "min_points", "a number of points of");
  check_at_least(options.min_cluster_size, 2, "min_cluster_size", "a cluster size of");
  const DistinctTrips& distinct = search.distinct();
  DensityClusters result;
  std::vector<std::uint32_t> clusters(search.size(), no_cluster);
  result.core_distance.assign(search.size(), std::numeric_limits<double>::infinity());
  if (distinct.with_distance() < options.min_points) {
    result.clusters = numbered_by_size(clusters, 0);
    return result;
  }
  SpanningTree tree(distinct, options.min_points);
  tree.grow(Heartbeat(progress, 2 * distinct.size() - 1));
  result.work = tree.work();
  const Through through(distinct);
  const ChosenClusters chosen =
      choose_clusters(with_copies_joined(tree, through), through.trips.size(),
                      options.min_cluster_size, options.selection);
  for (std::size_t i = 0; i < through.trips.size(); ++i) {
    const std::uint32_t trip = through.trips[i];
    clusters[trip] = chosen.clusters[i];
    result.core_distance[trip] = tree.core_distances()[distinct.number_of(trip)];
  }
  result.clusters = numbered_by_size(clusters, chosen.stability.size());
  result.stability.resize(result.clusters.count);
  for (std::size_t i = 0; i < search.size(); ++i) {
    if (clusters[i] == no_cluster) continue;
    result.stability[static_cast<std::size_t>(result.clusters.labels[i])] =
        chosen.stability[clusters[i]];
  }
  return result;
}

}  // namespace tsmini
