// The nearest rows by looking at every one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tsmini/embedding_index.h"

#include "search/allowed.h"
#include "search/row_store.h"

namespace tsmini {

// For each query the k nearest. A stretch of rows that fits the first cache is compared with all
// queries before the next one is read. One thread.
std::vector<std::vector<Hit>> scan(const RowStore& rows, std::span<const PlacedQuery> queries,
                                   std::size_t k, const Allowed& allowed);

// The k nearest of some rows.
std::vector<Hit> scan_some(const RowStore& rows, std::span<const std::uint32_t> some,
                           const PlacedQuery& query, std::size_t k);

}  // namespace tsmini
