#include "draw/stroke.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/colour.h"

namespace tsmini {
namespace {

int bound(double value, int low, int high) {
  return static_cast<int>(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
}

}  // namespace

Stroker::Stroker(Image& image)
    : image_(image),
      bounds_{0, 0, image.width, image.height},
      dirty_{image.width, image.height, 0, 0},
      cover_(image.pixels.size()) {}

void Stroker::clip(int left, int top, int right, int bottom) {
  bounds_ = {std::max(left, 0), std::max(top, 0), std::min(right, image_.width),
             std::min(bottom, image_.height)};
}

void Stroker::unclip() {
  bounds_ = {0, 0, image_.width, image_.height};
}

// Row by row: the part of the line that can cover a pixel of the row gives the columns to look at.
void Stroker::add(Pixel from, Pixel to, double thickness) {
  const double reach = thickness / 2 + 1;
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length2 = dx * dx + dy * dy;
  const int top = bound(std::min(from.y, to.y) - reach, bounds_.top, bounds_.bottom);
  const int bottom = bound(std::max(from.y, to.y) + reach + 1, bounds_.top, bounds_.bottom);
  for (int y = top; y < bottom; ++y) {
    const double py = y + 0.5 - from.y;
    double begin = 0, end = 1;
    if (dy != 0) {
      begin = std::clamp((py - std::copysign(reach, dy)) / dy, 0.0, 1.0);
      end = std::clamp((py + std::copysign(reach, dy)) / dy, 0.0, 1.0);
    }
    const double x0 = from.x + begin * dx, x1 = from.x + end * dx;
    const int left = bound(std::min(x0, x1) - reach, bounds_.left, bounds_.right);
    const int right = bound(std::max(x0, x1) + reach + 1, bounds_.left, bounds_.right);
    if (left >= right) continue;
    float* row =
        cover_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width);
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5 - from.x;
      const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      const double ex = px - t * dx, ey = py - t * dy;
      const double cover = std::clamp(thickness / 2 + 0.5 - std::sqrt(ex * ex + ey * ey), 0.0, 1.0);
      row[x] = std::max(row[x], static_cast<float>(cover));
    }
    dirty_ = {std::min(dirty_.left, left), std::min(dirty_.top, y), std::max(dirty_.right, right),
              std::max(dirty_.bottom, y + 1)};
  }
}

void Stroker::paint(const Rgb& colour, double opacity) {
  for (int y = dirty_.top; y < dirty_.bottom; ++y) {
    float* row =
        cover_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width);
    for (int x = dirty_.left; x < dirty_.right; ++x) {
      if (row[x] == 0) continue;
      image_.at(x, y) = blended(image_.at(x, y), colour, opacity * static_cast<double>(row[x]));
      row[x] = 0;
    }
  }
  dirty_ = {image_.width, image_.height, 0, 0};
}

}  // namespace tsmini
