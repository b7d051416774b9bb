// What is known of a collection as a whole.
#pragma once

#include <vector>

#include "tsmini/collection.h"

#include "store/stored_trips.h"

namespace tsmini {

std::vector<CollectionModel> models_of(const StoredTrips& trips);

// All that is known of a collection but what lies beside the database.
CollectionInfo info_of(const StoredTrips& trips);

}  // namespace tsmini
