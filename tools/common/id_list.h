// Ids in a text file, one a line.
#pragma once

#include <string>
#include <vector>

namespace tsmini::cli {

// Empty lines and a byte-order mark are passed over; "-" is standard input; gzip is fine. Throws
// Error(bad_input) where it cannot be read or holds none.
std::vector<std::string> ids_from_file(const std::string& file);

}  // namespace tsmini::cli
