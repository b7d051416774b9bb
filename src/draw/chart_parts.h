// What line and bar charts share: colours, the axes with their grid, and the legend.
//
// Lengths are in pixels. Widths of texts are estimates, on the wide side, as the font is chosen
// where the picture is looked at.
//
//   const Legend legend({"HR@10", "HR@50"}, 668);
//   Svg svg(760, 300);
//   open_chart(svg, "Porto, frechet");
//   legend.draw(svg, chart_head, 3);
//   draw_y_axis(svg, {72, chart_head + legend.height(), 740, 250}, {0, 1}, "hit ratio");
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"

namespace tsmini {

// Stands out from white and from near-black, as all colours of charts do.
inline constexpr std::string_view chart_ink = "#7a8088";
// Room beside the axes, and above the legend.
inline constexpr double chart_left = 72, chart_right = 20, chart_head = 34;

// The colour of a line or a series of bars; colours repeat after six.
std::string_view series_colour(std::size_t number);

// About how wide the text is in a font of that size.
double drawn_width(std::string_view text, double font_size = 12);

struct Range {
  double low = 0, high = 1;

  double share(double value) const { return (value - low) / (high - low); }
};

// A range without extent becomes one around its value.
Range widened(Range range);

// Where the axes are.
struct PlotArea {
  double left, top, right, bottom;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

// Begins the group all else is drawn into and writes the title.
void open_chart(Svg& svg, std::string_view title);

// Horizontal grid lines with their numbers, the lines of both axes, and the title of the y axis.
void draw_y_axis(Svg& svg, const PlotArea& area, const Range& y, std::string_view title);

void draw_grid_line(Svg& svg, double x0, double y0, double x1, double y1);

// Names with their colours, in as many rows as the width asks for. Empty names have no entry.
class Legend {
 public:
  Legend(const std::vector<std::string>& names, double width);

  double height() const;
  // `thickness`: of the stroke that shows the colour.
  void draw(Svg& svg, double top, double thickness) const;

 private:
  struct Entry {
    std::string name;
    std::string_view colour;
    double x;
    std::size_t row;
  };

  std::vector<Entry> entries_;
};

}  // namespace tsmini
