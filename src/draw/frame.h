// Which part of the world a map shows, and where a position falls on it.
//
// The frame holds a box and a margin of 4 % on each side. One pixel is as long to the east as to
// the north: on the ground (equirectangular around the middle latitude) for degrees, in the data's
// own unit for planar data. The height follows from the extent within 0.4 to 1.4 widths; a taller
// extent gets room beside it, a flatter one above and below.
#pragma once

#include "tsmini/dataset.h"
#include "tsmini/trajectory.h"

#include "draw/image.h"
#include "geo/wgs84.h"

namespace tsmini {

class Frame {
 public:
  // Throws Error(bad_input) for an extent beyond all numbers.
  Frame(const Box& box, Coordinates coordinates, int width);

  // The same part of the world, in more pixels or less.
  Frame resized(int width) const;

  // The box without the margin.
  const Box& asked() const { return asked_; }

  bool degrees() const { return degrees_; }
  int width() const { return width_; }
  int height() const { return height_; }

  // Where any position is, within ±1e9 pixels. Degrees: the shorter way around from the middle.
  Pixel pixel_of(const Position& position) const;
  bool contains(const Pixel& p) const {
    return p.x >= 0 && p.x <= width_ && p.y >= 0 && p.y <= height_;
  }

  // What the edges show. Longitudes may exceed 180 where the frame straddles the antimeridian.
  Box box() const;
  // What a degree measures in metres; 1 for planar data.
  DegreeLength unit() const;
  // Metres, or the unit of planar data.
  double length_per_pixel() const { return length_per_pixel_; }

 private:
  Box asked_;
  bool degrees_;
  int width_;
  int height_;
  Position centre_;
  double length_per_pixel_;
  double pixels_per_lon_;  // per degree, or per unit
  double pixels_per_lat_;
};

}  // namespace tsmini
