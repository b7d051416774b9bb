// Whether everything in a collection is as it was written, and as a search needs it.
#pragma once

#include <vector>

#include "tsmini/progress.h"

#include "store/exact_record.h"
#include "store/loaded_models.h"
#include "store/sqlite.h"

namespace tsmini {

// Throws Error(bad_input) for the first thing that is not. `database` is in a transaction; the
// models are those of its records. Progress counts trips, once for themselves and once for each
// model.
void check_collection(const ExactOwner& owner, const LoadedModels::List& models,
                      const std::vector<ModelRecord>& records, Database& database, Layout layout,
                      const Progress& progress);

}  // namespace tsmini
