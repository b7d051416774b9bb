// A query as searches need it: in the space of the trips, embedded by a model, and measured against
// trips one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tsmini/heartbeat.h"
#include "tsmini/search.h"

#include "search/request_plan.h"
#include "search/trip_source.h"

namespace tsmini {

// Throws Error(bad_input) for a point of the query that the space does not reach.
std::vector<Planar> projected(const Space& space, std::span<const Position> query);

// The embedding of the query; none where the model cannot take it.
std::optional<std::vector<float>> embedded(const EmbeddedTrips& model,
                                           std::span<const Position> query,
                                           const Heartbeat& heartbeat);

// Trips that were read, by row.
using ReadTrips = std::unordered_map<std::int64_t, StoredTrip>;

// The distance to each row for which the measure is defined, in double precision, in the order of
// `rows`. The trips are added to `read`. Throws Error(bad_input) for one that the space does not
// reach.
std::vector<RowDistance> measured(const TripSource& trips, const ChosenMeasure& chosen,
                                  std::span<const Planar> query, std::span<const std::int64_t> rows,
                                  ReadTrips& read, const Heartbeat& heartbeat);

std::vector<std::int64_t> rows_of(std::span<const RowDistance> found);

}  // namespace tsmini
