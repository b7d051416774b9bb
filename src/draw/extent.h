// The smallest box around points, whichever way around the earth.
//
//   Extent extent;
//   for (const Position& p : trip.points) extent.add(p);
//   std::optional<Box> box = extent.box(Coordinates::degrees);
#pragma once

#include <cstdint>
#include <optional>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"

namespace tsmini {

class Extent {
 public:
  void add(const Position& p);
  // Adds all points of a data set: by its header, unless it reaches so far around that all must be
  // seen.
  void add(const Dataset& data, const Heartbeat& heartbeat);
  void merge(const Extent& other);

  // Nothing where there are no points. Degrees: longitudes from 0 to 360 where the box is narrower
  // so, over the antimeridian.
  std::optional<Box> box(Coordinates coordinates) const;

 private:
  struct Range {
    double low = 0, high = 0;
    void add(double value);
    double length() const { return high - low; }
  };
  void add(const Box& box);

  bool empty_ = true;
  Range lon_, turned_, lat_;  // turned: longitudes from 0 to 360
};

}  // namespace tsmini
