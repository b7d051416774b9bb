// A radius for those who have none: how far apart trips of one cluster, or near-duplicates, lie in
// this very data.
//
//   const ClusterRadius found = cluster_radius(search, 4);    // for dbscan with 5 points
//   const DuplicateRadius near = duplicate_radius(search);    // for find_duplicates
//
// cluster_radius draws the distances of trips to their k-th neighbour, rising, and takes the knee
// of that curve: where it is farthest below the straight line between its ends. It assumes that
// most trips lie in clusters of similar density, and the few others farther out.
//
// duplicate_radius looks at the distances to the nearest other trip. Where a set holds
// near-duplicates, these have two humps on a scale of doublings: tiny ones between trips that were
// recorded or stored twice, and the usual ones. The radius is the middle of the emptiest place
// between the two. It assumes that most trips have no near-duplicate, and that near-duplicates are
// clearly nearer than what else is alike. Where no second hump stands out, or most trips would have
// a near-duplicate, the radius is 0, which only copies pass, and `found` is false.
//
// Both look at a sample of the trips, drawn by `seed`, each among all others: exact for those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

struct RadiusSample {
  std::size_t most = 10000;  // trips that are looked at
  std::uint64_t seed = 1;
};

struct ClusterRadius {
  double radius = 0;       // 0 where no trip has a neighbour
  std::size_t k = 0;       // distances were taken to the k-th neighbour
  std::size_t sample = 0;  // of so many trips
};

// Progress counts the trips of the sample. Throws Error(usage) for k of 0.
ClusterRadius cluster_radius(const NeighbourSearch& search, std::size_t k,
                             const RadiusSample& sample = {}, const Progress& progress = {});

struct DuplicateRadius {
  double radius = 0;
  bool found = false;      // a hump of near-duplicates, apart from the rest
  double share = 0;        // of the sample: trips with another one that near
  std::size_t sample = 0;  // distinct trips looked at
};

DuplicateRadius duplicate_radius(const NeighbourSearch& search, const RadiusSample& sample = {},
                                 const Progress& progress = {});

// The knee and the valley that the two functions above look for; `rising` is sorted. The knee of no
// distances is 0.
double knee_of(std::span<const double> rising);
// No valley where there is one hump. Distances of 0 are left out.
std::optional<double> valley_of(std::span<const double> rising);

}  // namespace tsmini
