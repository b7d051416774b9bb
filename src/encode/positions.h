// What positions in a trajectory add: rows of numbers by position, those of usual positions ready,
// those far out computed when wanted.
#pragma once

#include <cstddef>
#include <vector>

namespace tsmini::encode {

class PositionTable {
 public:
  // Fills the row of a position.
  using Fill = void (*)(std::size_t position, std::size_t width, float* row);

  PositionTable() = default;
  PositionTable(Fill fill, std::size_t width);

  std::size_t width() const { return width_; }
  // Rows of `count` positions from `first` on: from the table, or computed into `memory`, which
  // must have room for them.
  const float* rows(std::size_t first, std::size_t count, float* memory) const;

 private:
  Fill fill_ = nullptr;
  std::size_t width_ = 0;
  std::vector<float> table_;
};

// Cosines, then sines, of the angles that turn the 16 pairs of a head. Each cosine stands twice;
// each sine with its negative before it: x · cosines + (x with pairs swapped) · sines is the turn.
PositionTable rotary_positions();
// Sine and cosine in turns; each pair has a rate of its own.
PositionTable sinusoidal_positions(std::size_t dimension);

}  // namespace tsmini::encode
