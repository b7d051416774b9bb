#include <utility>

#include "tsmini/density_clusters.h"

#include "analyse/disjoint_sets.h"
#include "analyse/distinct_trips.h"
#include "analyse/numbering.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"

namespace tsmini {
namespace {

// Three passes, none of which stores or even looks for all edges: who is core, which is a search
// for a few neighbours within the radius; core trips with those that are not yet in their cluster;
// and the others with their nearest core trip.
class Dbscan {
 public:
  Dbscan(const DistinctTrips& distinct, const DbscanOptions& options, const Progress& progress)
      : distinct_(distinct),
        options_(options),
        heartbeat_(progress, 2 * distinct.size()),
        core_(distinct.size()),
        sets_(distinct.size()),
        cluster_(distinct.size(), no_cluster) {}

  SearchWork run() {
    const std::size_t n = distinct_.size();
    SearchWork work = on_all_cores(n, [&](std::size_t i, SearchWork& own) {
      core_[i] = is_core(i, own) ? 1 : 0;
      heartbeat_.advance(1);
    });
    work += on_all_cores(n, [&](std::size_t i, SearchWork& own) {
      if (core_[i] != 0)
        join(i, own);
      else
        cluster_[i] = nearest_core(i, own);
      heartbeat_.advance(1);
    });
    for (std::uint32_t& cluster : cluster_) {
      if (cluster != no_cluster) cluster = sets_.find(cluster);
    }
    return work;
  }

  bool core(std::size_t number) const { return core_[number] != 0; }
  std::uint32_t cluster(std::size_t number) const { return cluster_[number]; }

 private:
  bool is_core(std::size_t i, SearchWork& work) const {
    std::size_t points = distinct_.copies(i).size();
    if (points >= options_.min_points) return true;
    for (const Neighbour& n : distinct_.some_within(
             i, options_.radius, options_.min_points - points, work, heartbeat_)) {
      points += distinct_.copies(n.index).size();
    }
    return points >= options_.min_points;
  }

  void join(std::size_t i, SearchWork& work) {
    const auto apart = [&](std::size_t j) {
      return j > i && core_[j] != 0 && !sets_.are_one(i, j);
    };
    for (const Neighbour& n :
         distinct_.nearest_within(i, options_.radius, 0, apart, work, heartbeat_)) {
      sets_.unite(i, n.index);
    }
    cluster_[i] = static_cast<std::uint32_t>(i);
  }

  std::uint32_t nearest_core(std::size_t i, SearchWork& work) const {
    const auto core = [&](std::size_t j) { return core_[j] != 0; };
    const auto found = distinct_.nearest_within(i, options_.radius, 1, core, work, heartbeat_);
    return found.empty() ? no_cluster : static_cast<std::uint32_t>(found.front().index);
  }

  const DistinctTrips& distinct_;
  DbscanOptions options_;
  Heartbeat heartbeat_;
  std::vector<std::uint8_t> core_;
  DisjointSets sets_;
  std::vector<std::uint32_t> cluster_;
};

}  // namespace

DensityClusters dbscan(const NeighbourSearch& search, const DbscanOptions& options,
                       const Progress& progress) {
  check_radius(options.radius);
  check_at_least(options.min_points, 1, "min_points", "a number of points of");
  const DistinctTrips& distinct = search.distinct();
  Dbscan dbscan(distinct, options, progress);
  DensityClusters result;
  result.work = dbscan.run();
  result.core.resize(search.size());
  std::vector<std::uint32_t> clusters(search.size(), no_cluster);
  for (std::size_t i = 0; i < search.size(); ++i) {
    const std::uint32_t number = distinct.number_of(i);
    if (number == DistinctTrips::none) continue;
    result.core[i] = dbscan.core(number) ? 1 : 0;
    clusters[i] = dbscan.cluster(number);
  }
  result.clusters = numbered_by_size(clusters, distinct.size());
  return result;
}

}  // namespace tsmini
