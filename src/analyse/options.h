// What all findings refuse.
#pragma once

#include <cstddef>
#include <string_view>

namespace tsmini {

// Throws Error(usage) for one that is negative or not a number.
void check_radius(double radius);
// Throws Error(usage) where a number is below the least it may be: `what` is its name.
void check_at_least(std::size_t number, std::size_t least, std::string_view what);

}  // namespace tsmini
