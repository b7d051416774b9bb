// What a verb reads trips from: a data set, or a collection, whose trips are then in memory.
#pragma once

#include <filesystem>
#include <string>

#include "common/console.h"
#include "common/trips.h"

namespace tsmini::cli {

bool is_collection(const std::filesystem::path& path);

// Throws Error(bad_input) where it is neither.
Trips open_trips(const std::string& path, const Console& console);

}  // namespace tsmini::cli
