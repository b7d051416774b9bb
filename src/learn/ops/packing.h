// Many trajectories in one matrix, without padding between them.
//
// Rows of all trajectories follow each other; `starts` says where each begins. A convolution
// without padding loses rows at the end of each trajectory, so that at a deeper layer trajectory b
// has rows starts[b] - lost·b up to starts[b + 1] - lost·(b + 1).
//
// On a GPU `starts` lies in its memory and may change from step to step, and there is room for
// `capacity` points: rows past those of the last trajectory mean nothing.
#pragma once

#include <cstddef>

namespace tsmini::learn {

struct Packing {
  const int* starts = nullptr;  // count + 1
  std::size_t count = 0;
  std::size_t capacity = 0;  // points, before a row was lost; on the CPU there are as many
  std::size_t lost = 0;

  std::size_t rows() const { return capacity - lost * count; }
  Packing after(std::size_t more) const { return {starts, count, capacity, lost + more}; }

  // The first row of trajectory b, for b up to count; on the CPU alone.
  std::size_t first(std::size_t b) const { return static_cast<std::size_t>(starts[b]) - lost * b; }
  std::size_t length(std::size_t b) const { return first(b + 1) - first(b); }
};

}  // namespace tsmini::learn
