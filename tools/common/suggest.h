// "Did you mean …?" for a mistyped word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tsmini::cli {

// The candidate with the fewest letters to change, insert, remove or swap; empty where none is
// near.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tsmini::cli
