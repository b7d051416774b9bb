#include "draw/map_colours.h"

#include <algorithm>

namespace tsmini {
namespace {

constexpr PageColours night_page{
    {18, 16, 26}, {10, 8, 18}, {236, 233, 242}, {158, 152, 172}, {255, 255, 255}};
constexpr PageColours day_page{
    {250, 250, 252}, {255, 255, 255}, {28, 30, 38}, {104, 108, 122}, {0, 0, 0}};

constexpr Rgb day_density{60, 70, 104};

// Colours of ranks from near to far: warm to cool, told apart by hue and lightness.
constexpr std::array<Rgb, 10> rank_colours{{{214, 39, 40},
                                            {240, 110, 20},
                                            {224, 159, 0},
                                            {130, 160, 20},
                                            {34, 148, 83},
                                            {0, 146, 156},
                                            {23, 120, 198},
                                            {70, 86, 200},
                                            {130, 70, 190},
                                            {140, 110, 150}}};

// Neighbours in the list are far apart in hue.
constexpr std::array<Rgb, 10> group_colours{{{23, 120, 198},
                                             {214, 39, 40},
                                             {34, 148, 83},
                                             {240, 110, 20},
                                             {130, 70, 190},
                                             {0, 146, 156},
                                             {205, 50, 140},
                                             {130, 150, 20},
                                             {140, 86, 60},
                                             {90, 98, 124}}};

Rgb by_day(const LineColour& colour) {
  switch (colour.scale) {
    case LineColour::Scale::ink: return day_page.ink;
    case LineColour::Scale::ranks:
      return rank_colours[std::min(colour.number, rank_colours.size() - 1)];
    case LineColour::Scale::groups: break;
  }
  return group_colours[colour.number % group_colours.size()];
}

}  // namespace

const PageColours& page_colours(MapStyle style) {
  return style == MapStyle::night ? night_page : day_page;
}

GroundColours ground_colours(MapStyle style, bool under_lines) {
  const bool night = style == MapStyle::night;
  const double strength = !under_lines ? 1 : night ? 0.5 : 0.38;
  GroundColours colours;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double level = static_cast<double>(i) / static_cast<double>(colours.size() - 1);
    colours[i] = night ? blended(night_page.map, density_colours[i], strength)
                       : blended(day_page.map, day_density, strength * level);
  }
  return colours;
}

Rgb line_colour(const MapLine& line, std::size_t place, MapStyle style) {
  const LineColour colour = line.colour.value_or(LineColour{LineColour::Scale::groups, place});
  if (style == MapStyle::day) return by_day(colour);
  if (colour.scale == LineColour::Scale::ink) return night_page.ink;
  return blended(by_day(colour), {255, 255, 255}, 0.4);  // to stand out from the dark
}

}  // namespace tsmini
