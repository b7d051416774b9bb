// Adding and removing trips, in transactions of a connection that may write, in the current layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tsmini/collection.h"
#include "tsmini/space.h"

#include "store/loaded_models.h"
#include "store/sqlite.h"

namespace tsmini {

// How many trips one transaction writes. Whatever their number, it changes pages all over the index
// of places: the more, the less is written for each. With models fewer, so that little is embedded
// in vain where it is stopped.
inline constexpr std::size_t most_trips_at_once = 32768, most_embedded_at_once = 8192;
inline constexpr std::size_t most_points_at_once = 1 << 21;

// The next transaction's trips are embedded while one is written.
AddSummary add_trips(Database& database, LoadedModels& models, const Space& space,
                     const Dataset& data, const AddOptions& options, const Progress& progress);

std::uint64_t remove_trips(Database& database, std::span<const std::string> ids, bool missing_too,
                           const Progress& progress);

}  // namespace tsmini
