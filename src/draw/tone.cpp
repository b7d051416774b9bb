#include "draw/tone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/nth_smallest.h"
#include "draw/colour.h"

namespace tsmini {

Tone::Tone(const DensityRaster& raster) {
  std::vector<double> densities;
  for (int y = 0; y < raster.height(); ++y) {
    for (int x = 0; x < raster.width(); ++x) {
      const double density = raster.density(x, y);
      if (density > 0) densities.push_back(density);
    }
  }
  if (densities.empty()) return;
  const double place = 0.997 * static_cast<double>(densities.size() - 1);
  top_ = std::max(1.0, nth_smallest(densities, static_cast<std::size_t>(place)));
}

double Tone::level_of(double density) const {
  return std::log1p(density) / std::log1p(top_);
}

Image Tone::image_of(const DensityRaster& raster, std::span<const Rgb> colours) const {
  Image image(raster.width(), raster.height());
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      image.at(x, y) = colour_between(colours, level_of(raster.density(x, y)));
    }
  }
  return image;
}

}  // namespace tsmini
