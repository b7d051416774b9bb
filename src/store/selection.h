// Which rows a filter lets pass, found by the database before a search.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tsmini/search.h"

#include "search/row_selection.h"
#include "store/read_connections.h"
#include "store/sqlite.h"

namespace tsmini {

// Box and times go through an index of all trips; ids are looked up one by one.
RowSelection select_rows(Database& database, const SearchFilter& filter);
// The rows of all trips, rising.
std::vector<std::int64_t> all_rows(Database& database);

// Remembers what the last filter let pass: many queries ask with the same. Any number of threads
// may ask.
class RecentSelection {
 public:
  // What select_rows() gives in the transaction of the lease, which sees the collection after this
  // change.
  RowSelection get(const Readers::Lease& lease, std::int64_t change, const SearchFilter& filter);

 private:
  // A filter, but for those excluded, and what it let pass.
  struct Recent {
    std::int64_t change;
    std::optional<std::vector<std::string>> ids;
    std::optional<Box> box;
    std::optional<SearchFilter::TimeWindow> times;
    std::vector<Condition> where;
    std::shared_ptr<const std::vector<std::int64_t>> rows;
  };

  std::mutex mutex_;
  std::shared_ptr<const Recent> recent_;
};

}  // namespace tsmini
