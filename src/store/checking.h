// Whether everything in a collection is as it was written, and as a search needs it.
#pragma once

#include "tsmini/progress.h"

#include "store/index_record.h"
#include "store/sqlite.h"

namespace tsmini {

// Throws Error(bad_input) for the first thing that is not. `database` is in a transaction.
void check_collection(const IndexOwner& owner, Database& database, const Progress& progress);

}  // namespace tsmini
