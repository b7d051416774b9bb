// The minimum spanning tree of trips under mutual reachability: of the complete graph, without
// computing it.
//
// The core distance of a trip is how far its `min_points`-th trip is, itself the first. Two trips
// are joined at the largest of their core distances and their distance.
//
//   SpanningTree tree(distinct, 5);
//   tree.grow(heartbeat);
//   for (const Join& join : tree.joins()) use(join.a, join.b, join.distance);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"

#include "analyse/disjoint_sets.h"
#include "analyse/distinct_trips.h"

namespace tsmini {

// Two distinct trips and the distance that they are joined at.
struct Join {
  double distance = 0;
  std::uint32_t a = 0, b = 0;
};

class SpanningTree {
 public:
  // Throws Error(usage) for points whose rows of neighbours do not fit (tsmini/neighbour_graph.h).
  SpanningTree(const DistinctTrips& distinct, std::size_t min_points);

  // Core distances, then joins: advances by the number of distinct trips for either, less one. At
  // least `min_points` trips, copies among them, must have a distance.
  void grow(const Heartbeat& heartbeat);

  std::span<const double> core_distances() const { return core_; }
  const std::vector<Join>& joins() const { return joins_; }
  const SearchWork& work() const { return work_; }

 private:
  // The best way out of a part, as far as is known.
  struct WayOut {
    std::atomic<double> distance;
    Join join;
  };

  void find_core_distances(const Heartbeat& heartbeat);
  std::size_t largest_part() const;
  void ask_neighbours(std::vector<WayOut>& ways) const;
  void search(std::vector<WayOut>& ways, std::size_t largest, const Heartbeat& heartbeat);
  void seek_outside(std::size_t trip, WayOut& way, SearchWork& work, const Heartbeat& heartbeat);
  void improve(WayOut& way, const Join& join);
  std::size_t join_parts(const std::vector<WayOut>& ways);

  const DistinctTrips& distinct_;
  std::size_t min_points_;
  std::size_t row_;                  // neighbours known of each
  std::vector<std::uint32_t> near_;  // rows of these
  std::vector<double> near_distances_;
  std::vector<double> core_;
  std::vector<double> clear_;  // no trip outside the part is joined to this one below it
  DisjointSets parts_;
  std::mutex improving_;
  std::vector<Join> joins_;
  SearchWork work_;
};

}  // namespace tsmini
