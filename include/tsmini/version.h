// The version of the library, as "MAJOR.MINOR.PATCH". Before 1.0 a minor step may change the API;
// files written by an older version stay readable.
#pragma once

#include <string_view>

namespace tsmini {

std::string_view version();

}  // namespace tsmini
