// Distances of beginnings of two trips: what TMN's loss of sub-trajectories compares with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini::rivals {

// dtw, frechet, erp and hausdorff find all beginnings of a pair at the cost of the longest, since
// their tables hold them; the others measure one after another.

// The exact distance of the first lengths[k] points of p and of q, for rising lengths of at most
// the shorter.
std::vector<double> prefix_distances(Measure measure, std::span<const Planar> p,
                                     std::span<const Planar> q,
                                     std::span<const std::size_t> lengths);

// The same for pairs of trips, on all cores: for every pair as many as the shorter has of
// `lengths`, which rise.
std::vector<std::vector<double>> prefix_distances(Measure measure, const PlanarSet& trips,
                                                  std::span<const std::int64_t> a,
                                                  std::span<const std::int64_t> b,
                                                  std::span<const std::size_t> lengths);

}  // namespace tsmini::rivals
