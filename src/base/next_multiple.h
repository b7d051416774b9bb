// Sizes that are rounded up: to lines of a cache, to vectors, to sections of a file.
#pragma once

#include <cstddef>

namespace tsmini {

// The least multiple of `unit` that is no less than `count`.
constexpr std::size_t next_multiple(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

}  // namespace tsmini
