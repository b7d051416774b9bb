// Many trajectories in one matrix, without padding between them.
//
// Rows of all trajectories follow each other; `starts` says where each begins. A convolution
// without padding loses rows at the end of each trajectory, so that at a deeper layer trajectory b
// has rows starts[b] - lost·b up to starts[b + 1] - lost·(b + 1).
#pragma once

#include <cstddef>

namespace tsmini::learn {

struct Packing {
  const int* starts = nullptr;  // count + 1
  std::size_t count = 0;
  std::size_t lost = 0;

  Packing after(std::size_t more) const { return {starts, count, lost + more}; }
  // The first row of trajectory b, b up to count.
  std::size_t first(std::size_t b) const { return static_cast<std::size_t>(starts[b]) - lost * b; }
  std::size_t length(std::size_t b) const { return first(b + 1) - first(b); }
  std::size_t rows() const { return first(count); }
};

}  // namespace tsmini::learn
