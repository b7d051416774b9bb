// What a search looks for, and whether the collection can answer it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tsmini/collection.h"

#include "common/console.h"
#include "search_request.h"

namespace tsmini::cli {

// The queries, from a data set or from the collection itself. Throws Error(bad_input) for other
// coordinates.
Dataset queries_of(const SearchArguments& arguments, const Picking& picking,
                   const Collection& collection, const Console& console);

// To be called before the first query is answered: what was printed cannot be taken back. Throws
// Error(bad_input) for a query that space or measure cannot take.
void check_queries(const Console& console, const SearchRequest& request, const Dataset& queries,
                   std::size_t count, const std::string& file);

// How many of the ids that --only-ids names are not there. Throws Error(bad_input) where none is:
// such a search has no answers.
std::size_t check_ids(const std::string& file, const std::vector<std::string>& ids,
                      const Collection& collection, const Console& console);

}  // namespace tsmini::cli
