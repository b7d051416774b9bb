// Turns densities into colours.
//
// Logarithmic, since traffic is: level = log(1 + density) / log(1 + top), where top is the 99.7th
// percentile of the pixels that have any, but at least one trip. So a handful of extreme pixels (a
// taxi rank) does not darken everything else, and a few lines on an empty map are bright.
#pragma once

#include <span>

#include "draw/image.h"
#include "draw/raster.h"

namespace tsmini {

class Tone {
 public:
  explicit Tone(const DensityRaster& raster);

  double top() const { return top_; }
  // 0 for no density, 1 for `top`, more beyond it.
  double level_of(double density) const;
  // `colours` are evenly spaced between the levels 0 and 1.
  Image image_of(const DensityRaster& raster, std::span<const Rgb> colours) const;

 private:
  double top_ = 1;
};

}  // namespace tsmini
