// Brings a collection of tsmini 0.1 to the current layout.
#pragma once

#include <string>

#include "store/folder.h"
#include "store/sqlite.h"

namespace tsmini {

// Brings the database to the current layout, in one transaction, so that whoever is killed leaves
// all as it was; false where it was of that layout. Pages stay without checksums, files of model
// and index stay in use. A trip that was altered stays one. `space` is that of the model, as JSON.
bool upgrade(Database& database, const std::string& space);

}  // namespace tsmini
