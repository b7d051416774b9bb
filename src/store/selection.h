// Which rows a filter lets pass, found by the database before a search.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tsmini/search.h"

#include "search/row_selection.h"
#include "store/readers.h"
#include "store/sqlite.h"

namespace tsmini {

// Box and times go through an index of all trips; ids are looked up one by one.
RowSelection select_rows(Database& database, const SearchFilter& filter);
// Of all trips, rising.
std::vector<std::int64_t> all_rows(Database& database);

// Remembers what the last filter let pass: many queries ask with the same. Any number of threads
// may ask.
class RecentSelection {
 public:
  // As select_rows(), in the transaction of the lease, which sees the collection after this change.
  RowSelection get(const Readers::Lease& lease, std::int64_t change, const SearchFilter& filter);

 private:
  std::mutex mutex_;
  std::int64_t change_ = -1;
  SearchFilter filter_;  // but for those excluded
  std::vector<std::int64_t> rows_;
};

}  // namespace tsmini
