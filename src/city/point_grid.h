// Points in square cells, to find those near a place without looking at all of them.
//
//   PointGrid grid;
//   grid.add({10, 20}, 0);
//   grid.for_each_near({0, 0}, 100, [](std::uint32_t index, Point p) { use(index, p); });
#pragma once

#include <cstdint>
#include <vector>

#include "city/plane.h"

namespace tsmini::city {

class PointGrid {
 public:
  void add(Point p, std::uint32_t index) {
    cells_[row(p.y) * columns + column(p.x)].push_back({p, index});
  }

  // Calls visit(index, point) for every point at most `radius` metres from `p`. The order depends
  // only on the order in which points were added.
  template <class Visit>
  void for_each_near(Point p, double radius, Visit&& visit) const {
    for (std::size_t r = row(p.y - radius); r <= row(p.y + radius); ++r) {
      for (std::size_t c = column(p.x - radius); c <= column(p.x + radius); ++c) {
        for (const Entry& entry : cells_[r * columns + c]) {
          const Point offset = entry.point - p;
          if (dot(offset, offset) <= radius * radius) visit(entry.index, entry.point);
        }
      }
    }
  }

  bool any_near(Point p, double radius) const {
    bool found = false;
    for_each_near(p, radius, [&](std::uint32_t, Point) { found = true; });
    return found;
  }

 private:
  struct Entry {
    Point point;
    std::uint32_t index;
  };

  static constexpr double cell = 125;  // metres
  static constexpr std::size_t columns = static_cast<std::size_t>(2 * half_width / cell) + 1;
  static constexpr std::size_t rows = static_cast<std::size_t>(2 * half_height / cell) + 1;

  static std::size_t column(double x) {
    return static_cast<std::size_t>(std::clamp(x + half_width, 0.0, 2 * half_width) / cell);
  }
  static std::size_t row(double y) {
    return static_cast<std::size_t>(std::clamp(y + half_height, 0.0, 2 * half_height) / cell);
  }

  std::vector<std::vector<Entry>> cells_ = std::vector<std::vector<Entry>>(columns * rows);
};

}  // namespace tsmini::city
