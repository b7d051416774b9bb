// Adding models to a collection that is in use, and removing them.
//
// A model is first made known, with its file, and then sees the trips in stretches, a transaction
// each, which the database remembers: whoever is stopped goes on from there. Trips that others add
// meanwhile are seen as well; the model is complete in the transaction in which it has seen all.
#pragma once

#include <string_view>

#include "tsmini/collection.h"
#include "tsmini/progress.h"

#include "store/folder.h"
#include "store/loaded_models.h"
#include "store/model_record.h"
#include "store/sqlite.h"

namespace tsmini {

// The record of the same model where it is known already. Throws Error(bad_input) where it does not
// fit the space (search/model_fit.h), and Error(usage) for a name that another has.
ModelRecord make_known(Database& database, const CollectionFolder& folder, const Space& space,
                       const Model& model, const ModelOptions& options);

// Embeds trips until the model is complete, or was removed by another. Progress counts rows.
void embed_trips(Database& database, const LoadedModel& model, const Space& space,
                 const Progress& progress);

// Removes a model with its embeddings and files. Throws Error(bad_input) that lists the names.
void remove_model(Database& database, const CollectionFolder& folder, std::string_view name);

}  // namespace tsmini
