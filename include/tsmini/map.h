// A data set as a picture: people look before they read.
//
// Every trajectory is drawn, none is sampled: its line is added into a raster, and the number of
// trips over a pixel gives the pixel's colour on a logarithmic scale, from night black (none) over
// violet and orange to pale yellow (many). A single odd line stays faint, a busy road glows.
//
// The frame shows the central 99 % of the points per axis and some margin, true to scale on the
// ground (equirectangular around the middle latitude; planar data with equal axes), so that a few
// glitches do not shrink the city to a dot; the picture says how many points lie outside it.
//
//   draw_map(Dataset::open("porto.tsd"), "porto.svg", {.title = "porto.tsd"});
//
// Cost: linear in points and in the pixels their lines cross, spread over all cores; 15,000 taxi
// trips (750,000 points) take about half a second, most of it for packing the picture. Memory: 8
// bytes a pixel and thread, whatever the number of points. The same data gives the same file, byte
// for byte, with any number of threads.
#pragma once

#include <filesystem>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

namespace tsmini {

struct MapOptions {
  std::string title = {};  // headline of an .svg, such as the file name; may stay empty
  int width = 1200;        // of the map in pixels, 480 to 4096; the height follows from the data
};

// `out` ends in .svg (with title, axes, scale bar and legend; the raster is embedded) or in .png
// (the raster and a scale bar). Throws Error: usage for another ending or a width out of range,
// bad_input for a data set without points, failure where the file cannot be written. Progress
// counts trajectories.
void draw_map(const Dataset& data, const std::filesystem::path& out, const MapOptions& options = {},
              const Progress& progress = {});

}  // namespace tsmini
