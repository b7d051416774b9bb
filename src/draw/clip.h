// The part of a line that lies in a rectangle, after Liang and Barsky.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "draw/image.h"

namespace tsmini {

struct Segment {
  Pixel from, to;
};

// The shares of a line at which it enters and leaves; narrowed along one axis after the other.
struct ClipRange {
  double begin = 0, end = 1;

  void narrow(double from, double change, double low, double high) {
    if (change == 0) {
      if (from < low || from > high) end = -1;
      return;
    }
    double enter = (low - from) / change;
    double leave = (high - from) / change;
    if (enter > leave) std::swap(enter, leave);
    begin = std::max(begin, enter);
    end = std::min(end, leave);
  }
};

// Ends inside stay as they are, to the bit. Nothing of a line outside, nor of one that only touches
// the edge or has no length.
inline std::optional<Segment> clipped(const Segment& line, Pixel low, Pixel high) {
  const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  ClipRange range;
  range.narrow(line.from.x, dx, low.x, high.x);
  range.narrow(line.from.y, dy, low.y, high.y);
  if (range.begin >= range.end) return std::nullopt;
  const auto at = [&](double t) {
    return Pixel{std::clamp(line.from.x + t * dx, low.x, high.x),
                 std::clamp(line.from.y + t * dy, low.y, high.y)};
  };
  return Segment{range.begin > 0 ? at(range.begin) : line.from,
                 range.end < 1 ? at(range.end) : line.to};
}

}  // namespace tsmini
