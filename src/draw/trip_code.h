// Trips as few bytes, for a page that draws them itself.
//
// Positions are rounded to a grid; of each trip the number of its points is written and the steps
// from point to point, the first from the last point of the trip before. A number n has seven bits
// a byte, the lowest first, all bytes but the last with their eighth bit set; a step s is 2s, or
// -2s - 1 below zero. A taxi's point takes 3 to 4 bytes of the 16 in memory.
//
//   const TripGrid grid(extent, Coordinates::degrees);
//   TripCode code(grid);
//   for (std::size_t i = 0; i < data.size(); ++i) code.add(data[i].points);
//   page += base64(code.bytes());
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/trajectory.h"

namespace tsmini {

// Millionths of a degree; of planar data a power of ten, a hundred-millionth of its extent at
// least.
class TripGrid {
 public:
  TripGrid(const Box& extent, Coordinates coordinates);

  // The middle of the extent.
  const Position& origin() const { return origin_; }
  // The size of a cell, in degrees or the unit of planar data.
  double quantum() const { return quantum_; }

  struct Cell {
    std::int64_t x = 0, y = 0;  // quanta from the origin; degrees the shorter way around

    friend bool operator==(const Cell&, const Cell&) = default;
  };
  Cell cell_of(const Position& p) const;

 private:
  Position origin_;
  double quantum_;
  bool degrees_;
};

// A number of seven bits a byte, as above.
void append_coded(std::string& out, std::uint64_t number);

class TripCode {
 public:
  explicit TripCode(const TripGrid& grid) : grid_(grid) {}

  // Points that are no further than `least_move` quanta from the one before are left out, but for
  // the last; with 0, those that are equal to it. The trip must have a point.
  void add(std::span<const Position> points, std::int64_t least_move = 0);

  const std::string& bytes() const { return bytes_; }

 private:
  TripGrid grid_;
  TripGrid::Cell last_;
  std::string bytes_;
};

}  // namespace tsmini
