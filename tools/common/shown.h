// Text of others as a terminal may have it.
#pragma once

#include <string>
#include <string_view>

namespace tsmini::cli {

// All of an id, as it can be seen (base/utf8.h).
std::string shown(std::string_view id);

// The same for a message of several lines, which stay lines: it may name files, which may be called
// anything.
std::string shown_lines(std::string_view message);

}  // namespace tsmini::cli
