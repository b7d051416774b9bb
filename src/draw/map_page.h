// The finished faces of a map: the page around the raster as SVG, or the raster alone as PNG.
#pragma once

#include <cstdint>
#include <string>

#include "draw/frame.h"
#include "draw/image.h"
#include "draw/tone.h"

namespace tsmini {

struct MapContent {
  Frame frame;
  Tone tone;
  Image image;
  std::string title;
  std::uint64_t trajectories = 0;
  std::uint64_t points = 0;
  std::uint64_t points_outside = 0;
};

// Title, axes, scale bar, legend of the colours, and what lies outside.
std::string svg_page(const MapContent& map);

// A scale bar only.
std::string png_page(const MapContent& map);

}  // namespace tsmini
