// Links rows into a graph, through hnswlib.
#pragma once

#include <cstddef>

#include "tsmini/progress.h"

#include "search/graph.h"
#include "search/row_store.h"

namespace tsmini {

// The graph extended to all rows of the store, the first of which `graph` may hold already; that
// must have no flaw. On all cores; the links depend on the order in which threads come, so no two
// builds are quite the same.
Graph extended(const Graph& graph, const RowStore& rows, std::size_t ef_construction,
               const Progress& progress);

}  // namespace tsmini
