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

// How many trips one transaction writes: enough that waiting for the disk is a small part of it.
inline constexpr std::size_t most_trips_at_once = 2048, most_points_at_once = 1 << 20;

AddSummary add_trips(Database& database, LoadedModels& models, const Space& space,
                     const Dataset& data, const AddOptions& options, const Progress& progress);

std::uint64_t remove_trips(Database& database, std::span<const std::string> ids, bool missing_too);

}  // namespace tsmini
