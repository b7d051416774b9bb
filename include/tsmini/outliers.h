// Trips that are unlike the others, and what a person can see it by.
//
//   const Outliers found = find_outliers(search, {.k = 20}, progress);
//   for (const std::size_t trip : found.ranked_by_density()) show(trip, found.trips[trip].nearest);
//
// Two scores, both from the k nearest of each trip:
//   kth_distance  the distance to the k-th of them: who is far from everything
//   lof           local outlier factor (Breunig et al. 2000): how many times as far its neighbours
//                 are as theirs are from them; about 1 within a cluster, however dense or sparse:
//                 neighbour_distance / usual_distance
//
// Copies of a trip count as one neighbour and share its scores, as Breunig et al. propose: else an
// odd trip that was stored k times would look ordinary, and density be infinite. Trips that differ
// and yet have no distance (hausdorff, edr, lcss) may still leave a mean reachability of 0; it then
// counts as the smallest of the set that is above 0, or lof is 1 where there is none.
// Among trips at the same distance the lower index is the neighbour, so that there are always k;
// fewer only where there are no more distinct trips.
#pragma once

#include <cstddef>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

struct OutlierOptions {
  std::size_t k = 20;
};

struct OutlierScore {
  std::size_t nearest = ExactSearch::nothing;  // the nearest that is no copy; nothing: not scored
  double nearest_distance = 0;
  double kth_distance = 0;
  // The average distance to its neighbours, each of which counts as no nearer than its own k-th
  // distance.
  double neighbour_distance = 0;
  double usual_distance = 0;  // the same of its neighbours: their harmonic mean, as lof has it
  double lof = 1;

  bool is_scored() const { return nearest != ExactSearch::nothing; }
};

struct Outliers {
  std::vector<OutlierScore> trips;  // one each; not scored where it has no neighbour
  std::size_t k = 0;                // neighbours that were looked at
  SearchWork work;

  // The trips that are scored, the oddest first, ties to the lower index.
  std::vector<std::size_t> ranked_by_distance() const;
  std::vector<std::size_t> ranked_by_density() const;
};

// Scores all trips, on all cores and the same on any number of them, in 12 bytes times k a trip.
// Progress counts distinct trips. Throws Error(usage) for k of 0, and for one whose neighbours
// would not fit into most_graph_bytes (tsmini/neighbour_graph.h).
Outliers find_outliers(const NeighbourSearch& search, const OutlierOptions& options = {},
                       const Progress& progress = {});

}  // namespace tsmini
