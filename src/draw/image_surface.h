// A page as a PNG file (draw/surface.h).
#pragma once

#include <string>
#include <string_view>

#include "draw/stroke.h"
#include "draw/surface.h"

namespace tsmini {

class ImageSurface : public Surface {
 public:
  ImageSurface(double width, double height, double scale);

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
  struct Bounds {
    int left, top, right, bottom;
  };
  // Whole pixels within the picture.
  Bounds bounds_of(const Place& place) const;
  Pixel scaled(Pixel p) const { return {p.x * scale_, p.y * scale_}; }

  double scale_;
  Image image_;
  Stroker stroker_;
};

}  // namespace tsmini
