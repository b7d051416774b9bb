// Which rows a filter lets pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tsmini {

// Whether a row may be an answer; an empty one lets all pass.
using RowPredicate = std::function<bool(std::int64_t row)>;

inline std::shared_ptr<const std::vector<std::int64_t>> shared(std::vector<std::int64_t> rows) {
  return std::make_shared<const std::vector<std::int64_t>>(std::move(rows));
}

struct RowSelection {
  // The rows that pass, rising; all where it is null. Shared, as many queries ask for the same.
  std::shared_ptr<const std::vector<std::int64_t>> rows;
  std::vector<std::int64_t> excluded;  // not these, rising

  bool allows(std::int64_t row) const {
    return (!rows || std::binary_search(rows->begin(), rows->end(), row)) &&
           !std::binary_search(excluded.begin(), excluded.end(), row);
  }
  // Empty where everything passes. Refers to this object.
  RowPredicate predicate() const {
    if (!rows && excluded.empty()) return {};
    return [this](std::int64_t row) { return allows(row); };
  }
};

}  // namespace tsmini
