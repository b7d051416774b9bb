// Counts how many lines pass over each pixel.
//
// A line adds its length in pixels, spread smoothly over three pixels across its direction (a
// quadratic B-spline, about 1.5 pixels wide), so that lines are antialiased, equally strong in
// every direction, and a road drawn in many short pieces counts as much as in one. A density of 1
// is thus about one trip along the pixel.
//
// Sums are integers: the order of adding, and so the number of threads, does not matter. Adding
// costs the pixels that a line crosses inside the raster, however long it is outside.
//
//   DensityRaster raster(1200, 900);
//   raster.add_line({10, 10}, {1e9, 500});
//   double d = raster.density(11, 10);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "draw/image.h"

namespace tsmini {

class DensityRaster {
 public:
  DensityRaster(int width, int height);

  // Coordinates must be finite.
  void add_line(Pixel from, Pixel to);
  // One trip's worth of density on a disc three pixels wide.
  void add_dot(Pixel centre);
  // Adds a raster of the same size.
  void merge(const DensityRaster& other);

  int width() const { return width_; }
  int height() const { return height_; }
  double density(int x, int y) const;

 private:
  // Coordinates along (u) and across (v) the main direction of a line.
  struct Axes {
    std::ptrdiff_t step_u;
    std::ptrdiff_t step_v;
  };
  void add_run(Pixel from, Pixel to, const Axes& axes);

  int width_;
  int height_;
  std::ptrdiff_t stride_;
  std::ptrdiff_t origin_;  // index of pixel (0, 0): a border takes what lines spread beyond an edge
  std::vector<std::uint64_t> cells_;
};

}  // namespace tsmini
