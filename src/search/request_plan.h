// What a request leaves open, decided by what there is: measure, settings, space, mode and model.
#pragma once

#include "tsmini/search.h"

#include "search/trip_source.h"

namespace tsmini {

// What exact distances are measured by, and in which space.
struct ChosenMeasure {
  Measure measure = Measure::frechet;
  MeasureSettings settings;
  Space space;
};

struct RequestPlan {
  ChosenMeasure chosen;
  SearchMode mode = SearchMode::exact;
  const EmbeddedTrips* model = nullptr;  // of the measure and settings; null where there is none
};

// The settings of the model's measure, in the space of the trips.
MeasureSettings settings_in(const Space& space, const Model& model);

// Throws Error(usage) for a k of 0, a radius or recall that is none, settings that do not fit the
// measure, a mode that needs a model where there is none, and a space of other coordinates or for
// another mode than exact.
RequestPlan plan_of(const SearchRequest& request, const Space& space,
                    const TripSource::Models& models);

// The request with what it leaves open, as plan_of() decides it: measure, space, settings and mode.
SearchRequest completed(const SearchRequest& request, const TripSource& trips);

}  // namespace tsmini
