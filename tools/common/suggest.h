// "Did you mean …?" for a mistyped word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tsmini::cli {

// The candidate with the fewest letters to change, insert, remove or swap, dashes in front not
// counted. Empty where none is near: one letter, and not the first, in a word of up to four; two,
// or a third, of a longer one.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tsmini::cli
