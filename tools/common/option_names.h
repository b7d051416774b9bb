// What the library calls by its own names, in the words of the command line (tsmini/error.h).
//
//   in_options("add `on_error=skip`, or `compact()` it");
//   // add --on-error skip, or 'tsmini compact' it
#pragma once

#include <string>
#include <string_view>

namespace tsmini::cli {

// Names that are no options of ours stay as they are.
std::string in_options(std::string_view text);

}  // namespace tsmini::cli
