// What `tsmini info` says of a collection.
#pragma once

#include <filesystem>
#include <string>

#include "tsmini/dataset.h"

namespace tsmini::cli {

bool is_collection(const std::filesystem::path& path);
// A data set, or all trips of a collection, which are then in memory.
Dataset open_trips(const std::string& path);

// Prints a table, or JSON. `verify` reads and checks everything first.
void show_collection(const std::string& folder, bool verify, bool json);

}  // namespace tsmini::cli
