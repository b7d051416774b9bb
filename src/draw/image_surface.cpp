#include "draw/image_surface.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "draw/colour.h"
#include "draw/letters.h"
#include "draw/png.h"

namespace tsmini {

ImageSurface::ImageSurface(double width, double height, double scale)
    : scale_(scale),
      image_(static_cast<int>(std::lround(width * scale)),
             static_cast<int>(std::lround(height * scale))),
      stroker_(image_) {}

ImageSurface::Bounds ImageSurface::bounds_of(const Place& place) const {
  const auto whole = [&](double value, int limit) {
    return std::clamp(static_cast<int>(std::lround(value * scale_)), 0, limit);
  };
  return {whole(place.x, image_.width), whole(place.y, image_.height),
          whole(place.right(), image_.width), whole(place.bottom(), image_.height)};
}

void ImageSurface::fill(const Place& place, const Rgb& colour) {
  const Bounds bounds = bounds_of(place);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    for (int x = bounds.left; x < bounds.right; ++x) image_.at(x, y) = colour;
  }
}

void ImageSurface::picture(const Place& place, const Image& image) {
  const Bounds bounds = bounds_of(place);
  for (int y = bounds.top; y < bounds.bottom; ++y) {
    const int row = std::min(y - bounds.top, image.height - 1);
    for (int x = bounds.left; x < bounds.right; ++x) {
      image_.at(x, y) = image.at(std::min(x - bounds.left, image.width - 1), row);
    }
  }
}

void ImageSurface::gradient(const Place& place, std::span<const Rgb> colours) {
  const Bounds bounds = bounds_of(place);
  for (int x = bounds.left; x < bounds.right; ++x) {
    const double level = (x + 0.5 - bounds.left) / (bounds.right - bounds.left);
    const Rgb colour = colour_between(colours, level);
    for (int y = bounds.top; y < bounds.bottom; ++y) image_.at(x, y) = colour;
  }
}

void ImageSurface::stroke(const Path& path, const Pen& pen) {
  const double thickness = pen.width * scale_;
  for (const std::vector<Pixel>& line : path) {
    if (line.size() == 1) stroker_.add(scaled(line[0]), scaled(line[0]), thickness);
    for (std::size_t i = 1; i < line.size(); ++i) {
      stroker_.add(scaled(line[i - 1]), scaled(line[i]), thickness);
    }
  }
  stroker_.paint(pen.colour, pen.opacity);
}

void ImageSurface::disc(Pixel centre, double radius, const Rgb& colour) {
  stroke({{centre}}, {colour, 2 * radius, 1});
}

void ImageSurface::text(Pixel at, std::string_view content, const Lettering& lettering) {
  const double width = letters_width(content, lettering.size);
  if (lettering.anchor == Anchor::middle) at.x -= width / 2;
  if (lettering.anchor == Anchor::end) at.x -= width;
  const std::vector<Segment> strokes = letter_strokes(content, at, lettering.size);
  const auto draw = [&](double thickness, const Rgb& colour) {
    for (const Segment& s : strokes) {
      const bool is_dot = s.from.x == s.to.x && s.from.y == s.to.y;
      stroker_.add(scaled(s.from), scaled(s.to), (is_dot ? 1.4 : 1) * thickness * scale_);
    }
    stroker_.paint(colour);
  };
  const double thickness = (lettering.bold ? 0.14 : 0.1) * lettering.size;
  if (lettering.halo) draw(thickness + 4, *lettering.halo);
  draw(thickness, lettering.colour);
}

void ImageSurface::clip(const Place& place) {
  const Bounds bounds = bounds_of(place);
  stroker_.clip(bounds.left, bounds.top, bounds.right, bounds.bottom);
}

void ImageSurface::unclip() {
  stroker_.unclip();
}

std::string ImageSurface::finish() {
  return png_from(image_);
}

}  // namespace tsmini
