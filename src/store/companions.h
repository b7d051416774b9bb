// What lies beside the database and was made from it: indexes, and files of exact search.
#pragma once

#include "store/exact_record.h"
#include "store/index_files_lock.h"
#include "store/sqlite.h"

namespace tsmini {

// Takes off the list of removed rows those that no index and no file in force holds.
void forget_removed(const ExactOwner& owner, Database& database);

// Removes the files that the database does not speak of, also such that were never finished. Where
// somebody is making one at this moment, nothing is removed: he cleans up when it is made.
void remove_unused_files(const IndexFilesLock& lock, const CollectionFolder& folder,
                         Database& database);

}  // namespace tsmini
