// What `tsmini info` says of a collection.
#pragma once

#include <filesystem>
#include <string>

namespace tsmini::cli {

bool is_collection(const std::filesystem::path& path);

// Prints a table, or JSON. `verify` reads and checks everything first.
void show_collection(const std::string& folder, bool verify, bool json);

}  // namespace tsmini::cli
