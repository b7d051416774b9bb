// Trips out of a collection, as a data set.
#pragma once

#include <cstddef>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"

#include "store/sqlite.h"

namespace tsmini {

// What Collection::around() gives, in the transaction that the database is in.
Dataset trips_around(Database& database, Coordinates coordinates, const Box& box, std::size_t most,
                     const Heartbeat& heartbeat);

}  // namespace tsmini
