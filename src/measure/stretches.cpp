#include "measure/stretches.h"

#include <algorithm>

namespace tsmini {
namespace {

struct Range {
  std::size_t begin, end;
};

std::size_t stretch_end(std::size_t length, std::size_t s) {
  return length < stretches ? std::min(s + 1, length) : (s + 1) * length / stretches;
}

Range stretch_range(std::size_t length, std::size_t s) {
  return {s == 0 ? 0 : stretch_end(length, s - 1), stretch_end(length, s)};
}

}  // namespace

std::span<const Planar> stretch_points(std::span<const Planar> points, std::size_t s) {
  const Range range = stretch_range(points.size(), s);
  return range.begin < range.end ? points.subspan(range.begin, range.end - range.begin)
                                 : points.last(1);
}

std::span<const Planar> stretch_path(std::span<const Planar> points, std::size_t s) {
  const Range range = stretch_range(points.size(), s);
  if (range.begin == range.end) return points.last(1);
  return points.subspan(range.begin, std::min(range.end + 1, points.size()) - range.begin);
}

float inner_points(std::size_t length, std::size_t s) {
  const Range range = stretch_range(length, s);
  const std::size_t first = std::max<std::size_t>(range.begin, 1);
  const std::size_t last = std::min(range.end, length - 1);
  return first < last ? static_cast<float>(last - first) : 0;
}

GridBox get_box(const GridBoxes& boxes, std::size_t lane) {
  return {boxes.low[lane], boxes.high[lane]};
}

void set_box(GridBoxes& boxes, std::size_t lane, const GridBox& box) {
  boxes.low[lane] = box.low;
  boxes.high[lane] = box.high;
}

GridBox hull_of(const GridBoxes& boxes, std::size_t lanes) {
  GridBox hull = get_box(boxes, 0);
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    const GridBox box = get_box(boxes, lane);
    hull.low = std::min(hull.low & 0xffffu, box.low & 0xffffu) |
               std::min(hull.low >> 16, box.low >> 16) << 16;
    hull.high = std::max(hull.high & 0xffffu, box.high & 0xffffu) |
                std::max(hull.high >> 16, box.high >> 16) << 16;
  }
  return hull;
}

}  // namespace tsmini
