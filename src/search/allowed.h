// Which rows may be answers: those that were not removed and that the caller's filter lets through.
#pragma once

#include <cstdint>

#include "tsmini/embedding_index.h"

#include "search/row_set.h"

namespace tsmini {

class Allowed {
 public:
  // Valid as long as both are.
  Allowed(const RowSet& removed, const RowFilter& filter) : removed_(removed), filter_(filter) {}

  bool everything() const { return removed_.count() == 0 && !filter_; }

  bool operator()(std::uint32_t row) const {
    return !removed_.contains(row) && (!filter_ || filter_(row));
  }

 private:
  const RowSet& removed_;
  const RowFilter& filter_;
};

}  // namespace tsmini
