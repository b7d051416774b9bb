// When the models of a collection are judged, and where that is written down.
#pragma once

#include "tsmini/progress.h"

#include "store/sqlite.h"
#include "store/stored_trips.h"

namespace tsmini {

// Judges the models that have seen all of more than 1,000 trips and were not judged since their
// index was made anew, or since the collection had two thirds of the trips that it has now. Takes
// as long as exact search needs to get ready, and some seconds for each. `database` may write.
// Where another process made an index meanwhile, nothing is written. Progress counts sampled trips,
// of one model after the other.
void judge_models(const StoredTrips& trips, Database& database, const Progress& progress);

}  // namespace tsmini
