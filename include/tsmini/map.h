// Trips as a picture, or as a page to pan and zoom: people look before they read.
//
// A map has a ground and lines on top of it.
//
// The ground is a data set, of which every trip is drawn: its line is added into a raster, and the
// number of trips over a pixel gives the pixel's colour on a logarithmic scale. By night colours go
// from black (none) over violet and orange to pale yellow (many): a single odd line stays faint, a
// busy road glows. By day the ground is grey, and faint under lines.
//
// The lines are the trips one asks about: a query and its answers, the typical routes of groups, an
// odd trip and its nearest (tsmini/map_lines.h makes those). They have colours, widths and a
// legend. Trips of the ground may belong to a line: then they have its colour, however many they
// are, and where several pass a pixel it has the colour of most. So groups are seen as a whole.
//
//   draw_map(Dataset::open("porto.tsd"), "porto.svg", {.title = "porto.tsd"});
//
//   Map map;
//   map.title = "Where trip 7 goes";
//   map.ground = data;
//   map.lines = {{.trip = data[7], .note = "12 km"}};
//   draw_map(map, "trip-7.html");
//
// The whole data is in view, true to scale on the ground (equirectangular around the middle
// latitude; planar data with equal axes), unless `shown` asks for a part. Where a few glitches make
// the extent so large that the bulk is a dot in it, the summary says so and where the bulk is.
//
// The kind of file follows from its name:
//   .svg   title, axes, scale bar, legend; the raster is embedded, lines are paths
//   .png   the same, in pixels
//   .html  one file that needs no network: pans, zooms, tells coordinates and names of lines. It
//          has the trips of the ground themselves, to a millionth of a degree (planar: to a
//          ten-millionth of the extent), as long as they take 6.5 MB or less; of more it has a
//          picture of all and every so-many-th to zoom into. A file has some 15 MB at most.
//
// Cost: linear in points and in the pixels their lines cross, spread over all cores; 15,000 taxi
// trips (750,000 points) take about half a second, most of it for packing the picture. Memory: 8
// bytes a pixel and thread, whatever the number of points. The same data gives the same file, byte
// for byte, with any number of threads. A Progress counts trips of the ground and may throw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"
#include "tsmini/trajectory.h"

namespace tsmini {

// What a colour is for; the map has one for each that suits its style.
struct LineColour {
  enum class Scale : std::uint8_t {
    groups,  // told apart; they repeat after ten
    ranks,   // from near to far, warm to cool; later ranks share the tenth
    ink,     // that of the titles, for what others are compared with
  };

  Scale scale = Scale::groups;
  std::size_t number = 0;
};

struct MapLine {
  // A view, and its id the label where there is no other; may be one point, or none: then it is in
  // the legend for the sake of the trips of the ground that belong to it.
  Trajectory trip;
  std::string label = {};                 // in the legend
  std::string note = {};                  // behind the label: a distance, "123 trips"
  std::optional<LineColour> colour = {};  // otherwise of groups, by its place among the lines
  double width = 2.5;                     // in pixels of a map 1,200 wide, or narrower
  double opacity = 0.9;
  std::string badge = {};  // a character or two on a disc upon the line and in the legend
  bool ends = false;       // a ring where it begins, a dot where it ends
};

enum class MapStyle : std::uint8_t { night, day };
inline constexpr std::array<std::string_view, 2> map_style_names{"night", "day"};

struct Map {
  std::string title;     // may stay empty
  std::string subtitle;  // where empty: how many trips and points the ground has
  Dataset ground;        // may be empty, if there are lines
  // The legend has the order of the lines. Broad ones lie under narrow ones, of equals the later.
  std::vector<MapLine> lines;
  // For each trip of the ground the line that it belongs to, by its place, or no_line. Empty where
  // none does.
  static constexpr std::uint32_t no_line = 0xffff'ffff;
  std::vector<std::uint32_t> line_of_trip = {};
  Coordinates coordinates = Coordinates::degrees;  // of the lines, where the ground is empty
  // The box that the map shows, with a margin; where it is not given, that of all points. Degrees:
  // max_lon may exceed 180, for a box over the antimeridian.
  std::optional<Box> shown;
  std::optional<MapStyle> style;  // otherwise day under lines, night without
  int width = 1200;               // of the map in pixels, 480 to 4096; the height follows
};

// What a map turned out to show.
struct MapSummary {
  Box shown;                         // up to the edges
  std::uint64_t points = 0;          // of ground and lines
  std::uint64_t points_outside = 0;  // of these, beyond the edges
  Box central;                       // has the central 99 % of the ground's points per axis
  bool is_dwarfed = false;           // all is shown, and `central` is under a twentieth of it
  std::uint64_t trips_left_out = 0;  // .html: of the ground, that are in its raster only
};

// Throws Error: usage for another ending, a width out of range, a box without extent or a trip that
// belongs to a line that is not there; bad_input where there is no point to draw, or coordinates
// are beyond all numbers; failure where the file cannot be written.
MapSummary draw_map(const Map& map, const std::filesystem::path& out,
                    const Progress& progress = {});

// Throws Error(usage) where no map can end so: before long work whose result is to be drawn.
void check_map_name(const std::filesystem::path& out);

// What the edges of the map will show: for finding what else is there. Throws as draw_map().
Box shown_box(const Map& map);

// The extent of all points of lines: a map that shows only where they are has it as `shown`. In
// degrees it goes over the antimeridian where that is shorter, so max_lon may exceed 180. All zero
// where there are no points.
Box extent_of(std::span<const MapLine> lines, Coordinates coordinates);

struct MapOptions {
  std::string title = {};
  int width = 1200;
};

// A data set alone.
MapSummary draw_map(const Dataset& data, const std::filesystem::path& out,
                    const MapOptions& options = {}, const Progress& progress = {});

}  // namespace tsmini
