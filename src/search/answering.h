// How a query is answered: candidates by embedding, their exact distances, proof, filters.
#pragma once

#include <span>

#include "tsmini/heartbeat.h"
#include "tsmini/search.h"

#include "search/trip_source.h"

namespace tsmini {

// Throws Error(usage) as plan_of() does, and Error(bad_input) for a query without points, with one
// that is not finite or beyond the reach of the space, or that the measure cannot take.
SearchResult answer(const TripSource& trips, std::span<const Position> query,
                    const SearchRequest& request, const Heartbeat& heartbeat);

}  // namespace tsmini
