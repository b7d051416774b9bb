// What every map page has around its picture: the axes with their labels, a scale bar, the legends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/frame.h"
#include "draw/map_colours.h"
#include "draw/surface.h"
#include "draw/tone.h"

namespace tsmini {

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

// So much of a text as fits, with dots for what is cut off: names are told apart by their ends.
enum class Kept { beginning, end };
std::string fitted(std::string_view text, double width, double size, Kept kept);

void draw_axes(Surface& surface, const Place& place, const std::vector<Mark>& below,
               const std::vector<Mark>& beside, const PageColours& colours);
void draw_scale_bar(Surface& surface, const Frame& frame, const Place& place,
                    const PageColours& colours);
// The colours with the decades of the logarithmic scale, ending at `corner`, their top right.
void draw_densities(Surface& surface, const Tone& tone, std::span<const Rgb> scale, Pixel corner,
                    const PageColours& colours);

}  // namespace tsmini
