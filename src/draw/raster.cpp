#include "draw/raster.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "draw/clip.h"

namespace tsmini {
namespace {

constexpr double unit = 65536;        // cells count in 1 / unit
constexpr double clip_margin = 2;     // lines are clipped this far outside: nothing inside changes
constexpr std::ptrdiff_t border = 5;  // pixels around, enough for the margin and any spread

// Rounds a number that is not negative; a call of lround would dominate the drawing.
std::uint64_t rounded(double value) {
  return static_cast<std::uint64_t>(value + 0.5);  // NOLINT(bugprone-incorrect-roundings)
}

}  // namespace

DensityRaster::DensityRaster(int width, int height)
    : width_(width),
      height_(height),
      stride_(width + 2 * border),
      origin_(border * stride_ + border),
      cells_(static_cast<std::size_t>(stride_ * (height + 2 * border))) {}

void DensityRaster::add_line(Pixel from, Pixel to) {
  const auto inside = clipped({from, to}, {-clip_margin, -clip_margin},
                              {width_ + clip_margin, height_ + clip_margin});
  if (!inside) return;
  const auto& [a, b] = *inside;
  if (std::abs(b.x - a.x) >= std::abs(b.y - a.y)) {
    add_run(a, b, {1, stride_});
  } else {
    add_run({a.y, a.x}, {b.y, b.x}, {stride_, 1});
  }
}

void DensityRaster::add_run(Pixel from, Pixel to, const Axes& axes) {
  if (to.x < from.x) std::swap(from, to);
  if (from.x == to.x) return;
  const double slope = (to.y - from.y) / (to.x - from.x);
  const double weight = unit * std::sqrt(1 + slope * slope);
  for (double column = std::floor(from.x); column < to.x; column += 1) {
    const double left = std::max(from.x, column);
    const double right = std::min(to.x, column + 1);
    const double v = from.y + ((left + right) / 2 - from.x) * slope;
    const double row = std::floor(v);
    const double t = v - row - 0.5;
    const double mass = (right - left) * weight;
    const std::uint64_t low = rounded(mass * 0.5 * (0.5 - t) * (0.5 - t));
    const std::uint64_t high = rounded(mass * 0.5 * (0.5 + t) * (0.5 + t));
    std::uint64_t* cell = cells_.data() + origin_ +
                          static_cast<std::ptrdiff_t>(column) * axes.step_u +
                          static_cast<std::ptrdiff_t>(row) * axes.step_v;
    cell[-axes.step_v] += low;
    cell[0] += rounded(mass) - low - high;
    cell[axes.step_v] += high;
  }
}

void DensityRaster::add_dot(Pixel centre) {
  if (!(centre.x >= -clip_margin && centre.x <= width_ + clip_margin && centre.y >= -clip_margin &&
        centre.y <= height_ + clip_margin)) {
    return;
  }
  constexpr double radius = 1.5;
  const auto column = static_cast<std::ptrdiff_t>(std::floor(centre.x));
  const auto row = static_cast<std::ptrdiff_t>(std::floor(centre.y));
  for (std::ptrdiff_t y = row - 2; y <= row + 2; ++y) {
    for (std::ptrdiff_t x = column - 2; x <= column + 2; ++x) {
      const double distance = std::hypot(static_cast<double>(x) + 0.5 - centre.x,
                                         static_cast<double>(y) + 0.5 - centre.y);
      const double cover = std::clamp(radius + 0.5 - distance, 0.0, 1.0);
      cells_[static_cast<std::size_t>(origin_ + y * stride_ + x)] += rounded(cover * unit);
    }
  }
}

void DensityRaster::merge(const DensityRaster& other) {
  assert(width_ == other.width_ && height_ == other.height_);
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] += other.cells_[i];
}

double DensityRaster::density(int x, int y) const {
  return static_cast<double>(cells_[static_cast<std::size_t>(origin_ + y * stride_ + x)]) / unit;
}

}  // namespace tsmini
