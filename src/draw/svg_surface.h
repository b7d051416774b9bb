// A page as an SVG file (draw/surface.h).
#pragma once

#include <string>
#include <string_view>

#include "draw/surface.h"
#include "draw/svg.h"

namespace tsmini {

class SvgSurface : public Surface {
 public:
  SvgSurface(double width, double height, double scale);

  void fill(const Place& place, const Rgb& colour) override;
  void picture(const Place& place, const Image& image) override;
  void gradient(const Place& place, std::span<const Rgb> colours) override;
  void stroke(const Path& path, const Pen& pen) override;
  void disc(Pixel centre, double radius, const Rgb& colour) override;
  void text(Pixel at, std::string_view content, const Lettering& lettering) override;
  void clip(const Place& place) override;
  void unclip() override;
  std::string finish() override;

 private:
  std::string new_id();

  Svg svg_;
  int ids_ = 0;
};

}  // namespace tsmini
