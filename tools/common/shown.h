// Ids as a terminal may have them.
#pragma once

#include <string>
#include <string_view>

namespace tsmini::cli {

// Without control characters, also those of two bytes, which are shown as '?'.
std::string shown(std::string_view id);

}  // namespace tsmini::cli
