// What a page is drawn on: an SVG file or a picture in pixels. Pages are laid out once, in units of
// a pixel of a map up to 1,200 wide; a surface scales them to the size that was asked for.
//
//   SvgSurface svg(640, 480, 1);
//   svg.stroke({{{10, 10}, {90, 40}}}, {ink, 2.5, 0.9});
//   svg.text({10, 60}, "8 nearest", {.size = 20, .colour = ink, .bold = true});
//   std::string file = svg.finish();
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/image.h"

namespace tsmini {

// A rectangle on a page.
struct Place {
  double x, y, width, height;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

// Lines that are one stroke: where they cross each other, nothing is covered twice.
using Path = std::vector<std::vector<Pixel>>;

struct Pen {
  Rgb colour;
  double width = 1;
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct Lettering {
  double size = 12;
  Rgb colour;
  Anchor anchor = Anchor::start;
  bool bold = false;
  std::optional<Rgb> halo = {};  // around the letters, where they lie on a picture
};

class Surface {
 public:
  virtual ~Surface() = default;

  virtual void fill(const Place& place, const Rgb& colour) = 0;
  // The image has the size of the place times the scale, but for a rounded pixel.
  virtual void picture(const Place& place, const Image& image) = 0;
  // Fills a place with colours from left to right, evenly spaced.
  virtual void gradient(const Place& place, std::span<const Rgb> colours) = 0;
  // Round caps and joins; a line of one point is a dot.
  virtual void stroke(const Path& path, const Pen& pen) = 0;
  virtual void disc(Pixel centre, double radius, const Rgb& colour) = 0;
  // `at` is on the baseline.
  virtual void text(Pixel at, std::string_view content, const Lettering& lettering) = 0;

  // Until unclip(), what lies outside of the place is left out.
  virtual void clip(const Place& place) = 0;
  virtual void unclip() = 0;

  // The bytes of the file. Nothing may be drawn any more.
  virtual std::string finish() = 0;
};

}  // namespace tsmini
