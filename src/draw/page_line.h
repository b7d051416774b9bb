// A trip as a line on a page.
#pragma once

#include <vector>

#include "tsmini/trajectory.h"

#include "draw/frame.h"
#include "draw/surface.h"

namespace tsmini {

class PageLine {
 public:
  // The frame's corner is at the corner of `place`. Points that move the line by less than a third
  // of a pixel are left out. A trip without points is a line without.
  PageLine(const Trajectory& trip, const Frame& frame, const Place& place);

  bool empty() const { return pixels_.empty(); }
  const Pixel& first() const { return pixels_.front(); }
  const Pixel& last() const { return pixels_.back(); }
  // The place on the line after a share of its length.
  Pixel at(double share) const;
  // What is to be seen within the place, and a margin around it that takes broad ends.
  Path path() const;

 private:
  Place place_;
  std::vector<Pixel> pixels_;
};

}  // namespace tsmini
