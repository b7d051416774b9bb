// Which trips of a data set are added, chosen before anything is written.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tsmini/collection.h"

#include "store/sqlite.h"

namespace tsmini {

// The indices of the trips to add, rising; what is left out is counted. Throws Error(bad_input) for
// an id that is in use or comes twice, and for a trip that the space does not reach, unless options
// say otherwise.
std::vector<std::size_t> trips_to_add(Database& database, const Space& space, const Dataset& data,
                                      const AddOptions& options, AddSummary& summary);

[[noreturn]] void throw_duplicate(std::string_view id, std::string_view where);

}  // namespace tsmini
