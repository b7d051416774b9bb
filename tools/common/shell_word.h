// A word of a command that is shown, as a shell takes it: "my trips.tsd" with its quotes. For hints
// that name files, which are copied as they stand.
#pragma once

#include <string>
#include <string_view>

namespace tsmini::cli {

// As it is where a shell takes it so. Otherwise in double quotes, which stay readable inside the
// single ones of a message, or where these do not hold everything, in single ones.
std::string shell_word(std::string_view word);

}  // namespace tsmini::cli
