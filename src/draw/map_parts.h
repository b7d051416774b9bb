// What every map page has around its picture: the axes with their labels and a scale bar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/frame.h"
#include "draw/image.h"
#include "draw/svg.h"

namespace tsmini {

// The colours of a page.
struct PageColours {
  Rgb page;
  Rgb map;        // where nothing is drawn
  Rgb ink;        // titles
  Rgb faint_ink;  // labels
  Rgb line;       // axes and grid, with little opacity
};
inline constexpr PageColours night_page{
    {18, 16, 26}, {10, 8, 18}, {236, 233, 242}, {158, 152, 172}, {255, 255, 255}};
inline constexpr PageColours day_page{
    {250, 250, 252}, {255, 255, 255}, {28, 30, 38}, {104, 108, 122}, {0, 0, 0}};

inline constexpr std::string_view page_fonts =
    "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

// The map's corner on the page and its size.
struct Place {
  double x, y, width, height;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct ScaleBar {
  double pixels;
  std::string label;
};
ScaleBar scale_bar_of(const Frame& frame);

// A labelled place on an edge, in pixels from the map's left or top.
struct Mark {
  double at;
  std::string label;
};
std::vector<Mark> marks_below(const Frame& frame);
std::vector<Mark> marks_beside(const Frame& frame);
// How wide the labels beside the map are.
double room_for(const std::vector<Mark>& marks);

void add_image(Svg& svg, const Image& image, const Place& place);
void add_axes(Svg& svg, const Place& place, const std::vector<Mark>& below,
              const std::vector<Mark>& beside, const PageColours& colours);
void add_scale_bar(Svg& svg, const Frame& frame, const Place& place, const PageColours& colours);

}  // namespace tsmini
