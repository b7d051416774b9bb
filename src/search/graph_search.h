// The nearest rows by following links.
#pragma once

#include <cstddef>
#include <vector>

#include "tsmini/embedding_index.h"

#include "search/allowed.h"
#include "search/graph.h"
#include "search/row_store.h"

namespace tsmini {

// The `ef` best of what is seen on the way are followed until none leads nearer; the k nearest
// allowed rows among them. Rows that are not allowed are stepped through. k <= ef. One thread.
std::vector<Hit> follow(const Graph& graph, const RowStore& rows, const PlacedQuery& query,
                        std::size_t k, std::size_t ef, const Allowed& allowed);

}  // namespace tsmini
