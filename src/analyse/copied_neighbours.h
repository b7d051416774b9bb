// Makes neighbours among all trips from those among distinct ones.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"

#include "analyse/distinct_trips.h"

namespace tsmini {

// The nearest `most` trips that are allowed, or of all without a rule, of which `near` are the
// nearest distinct ones, at least `most` of them or all.
std::vector<Neighbour> with_copies(const DistinctTrips& distinct, std::span<const Neighbour> near,
                                   std::size_t most,
                                   const std::function<bool(std::size_t trip)>& allowed = {});

// The same for a distinct trip, its own copies among them at distance 0.
std::vector<Neighbour> with_copies(const DistinctTrips& distinct, std::size_t number,
                                   std::span<const Neighbour> near, std::size_t most);

// The nearest k but the trip itself.
std::vector<Neighbour> without(std::size_t trip, std::vector<Neighbour> neighbours, std::size_t k);

}  // namespace tsmini
