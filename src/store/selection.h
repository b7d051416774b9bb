// Which rows a filter lets pass, found by the database before a search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tsmini/collection.h"

#include "store/embedding_view.h"
#include "store/sqlite.h"

namespace tsmini {

class Selection {
 public:
  // Box and times go through an index of all trips; ids are looked up one by one.
  Selection(Database& database, const SearchFilter& filter);

  // Empty where everything passes. Refers to this object.
  RowPredicate predicate() const;
  // The rows that pass, rising; nothing where only a few are excluded.
  const std::optional<std::vector<std::int64_t>>& rows() const { return rows_; }
  bool allows(std::int64_t row) const;

 private:
  std::optional<std::vector<std::int64_t>> rows_;
  std::vector<std::int64_t> excluded_;  // rising
};

}  // namespace tsmini
