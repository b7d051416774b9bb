// What `tsmini info` says of a collection.
#pragma once

#include <string>

namespace tsmini::cli {

// Prints a table, or JSON. `verify` reads and checks everything first.
void show_collection(const std::string& folder, bool verify, bool json);

}  // namespace tsmini::cli
