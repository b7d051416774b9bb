// Import options from words as the command line has them.
#pragma once

#include <string_view>

#include "tsmini/import.h"

namespace tsmini {

// "--format csv --on-error skip --bbox=0,0,1,1". Throws std::invalid_argument for unknown ones.
ImportOptions import_options_from(std::string_view words);

}  // namespace tsmini
