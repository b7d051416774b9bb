// The angles by which attention turns queries and keys.
#pragma once

#include <cstddef>
#include <vector>

namespace tsmini::learn {

// Cosine and sine of head_size / 2 angles a position.
template <typename T>
std::vector<T> rotary_table(std::size_t positions);

}  // namespace tsmini::learn
