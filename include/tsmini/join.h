// All pairs of trips of two sets that are near each other, streamed: for every trip of A its k
// nearest of B, or all of B within a radius.
//
//   const JoinSink sink = [&](std::size_t trip, std::span<const Neighbour> near) {
//     for (const Neighbour& n : near) use(trip, n.index, n.distance);
//   };
//   join_within(a, b, Measure::frechet, {}, 50, sink);
//
// Exact, on all cores; the sink is called for every trip of A in its order, with none where it has
// none, from one thread at a time, and may throw to end the join. Only some answers are in memory
// at a time. Copies in B are searched once. The two sets must be in the same space. A trip that the
// measure gives no distance (edwp: one of a single point) has no neighbours and is nobody's. Which
// pairs may be is up to a rule, such as that a trip of one set with itself should not find itself:
//
//   join_nearest(a, a, Measure::frechet, {}, 3, sink, [](auto i, auto j) { return i != j; });
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "tsmini/exact_search.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"

namespace tsmini {

// By rising distance, ties to the lower index; valid during the call.
using JoinSink = std::function<void(std::size_t trip, std::span<const Neighbour> neighbours)>;

// Whether a trip of A may have this one of B; an empty rule allows all. Called on all cores, often.
using JoinRule = std::function<bool(std::size_t trip_of_a, std::size_t trip_of_b)>;

// Progress counts trips of A. Both return what was computed.
SearchWork join_nearest(const PlanarSet& a, const PlanarSet& b, Measure measure,
                        const MeasureSettings& settings, std::size_t k, const JoinSink& sink,
                        const JoinRule& allowed = {}, const Progress& progress = {});
SearchWork join_within(const PlanarSet& a, const PlanarSet& b, Measure measure,
                       const MeasureSettings& settings, double radius, const JoinSink& sink,
                       const JoinRule& allowed = {}, const Progress& progress = {});

}  // namespace tsmini
