// How many candidates by embedding a search takes, and what recall to expect of them.
#pragma once

#include <cstddef>
#include <optional>

#include "tsmini/search.h"

#include "search/trip_source.h"

namespace tsmini {

// `passing`: how many trips pass the filter, where there is one that names those that may be
// answers. As many as the request says; all where there are few, and for a recall of 1; what the
// judgement of the model takes for the recall of the request; 5 k where it was not judged.
std::size_t candidates_for(const SearchRequest& request, const EmbeddedTrips& model,
                           std::optional<std::size_t> passing);

// The share of the k nearest to expect among so many first by embedding. 1 where these are all that
// may be answers. Otherwise none where the model was not judged, and for a filter: it may leave
// only trips far from the query, of which the judgement knows nothing.
std::optional<double> recall_of(const EmbeddedTrips& model, std::size_t k, std::size_t candidates,
                                std::optional<std::size_t> passing);

}  // namespace tsmini
