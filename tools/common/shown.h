// Ids as a terminal may have them.
#pragma once

#include <string>
#include <string_view>

namespace tsmini::cli {

// All of it, as a message shows it (base/text.h).
std::string shown(std::string_view id);

}  // namespace tsmini::cli
