#include "tsmini/features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "tsmini/error.h"

namespace tsmini {
namespace {

constexpr double margin_metres = 500;
constexpr double metres_per_kilometre = 1000;

// A step from one point to the next; zeros where there is none.
struct Segment {
  double kilometres = 0;
  double heading = 0;  // share of the full turn, from east against the clock
};

Segment segment_between(const Planar& a, const Planar& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  if (dx == 0 && dy == 0) return {};
  double heading = std::atan2(dy, dx) / (2 * std::numbers::pi);
  if (heading < 0) heading += 1;
  if (heading >= 1) heading = 0;
  return {std::sqrt(dx * dx + dy * dy) / metres_per_kilometre, heading};
}

// Share of the half turn.
double turn_between(const Segment& before, const Segment& after) {
  const double difference = std::abs(before.heading - after.heading);
  return 2 * std::min(difference, 1 - difference);
}

Box box_of(const Dataset& data) {
  if (!data.info().has_split) return data.info().extent;
  Box box = Box::empty();
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.part(i) == Part::none) continue;
    for (const Position& p : data[i].points) box.add(p);
  }
  return box;
}

}  // namespace

FeatureFrame FeatureFrame::fit(const Dataset& data) {
  const Box box = box_of(data);
  if (data.point_count() == 0 || box.min_lon > box.max_lon) {
    throw Error(ErrorCode::bad_input, "the data set has no points, so no model can be fitted to it",
                "check what the import dropped, and why");
  }
  FeatureFrame frame;
  const bool degrees = data.info().coordinates == Coordinates::degrees;
  frame.space = Space::fit(degrees ? SpaceKind::mercator : SpaceKind::planar, data);
  // Both axes rise on their own in these spaces, so that corners become corners.
  const Planar low = frame.space.project({box.min_lon, box.min_lat});
  const Planar high = frame.space.project({box.max_lon, box.max_lat});
  frame.low = {low.x - margin_metres, low.y - margin_metres};
  frame.high = {high.x + margin_metres, high.y + margin_metres};
  const double width = frame.high.x - frame.low.x, height = frame.high.y - frame.low.y;
  if (!(width > 0 && height > 0 && std::isfinite(width) && std::isfinite(height))) {
    throw Error(ErrorCode::bad_input, "the coordinates are too large for a model",
                "give them in metres, near the origin");
  }
  return frame;
}

bool FeatureFrame::contains(const Planar& point) const {
  return point.x >= low.x && point.x <= high.x && point.y >= low.y && point.y <= high.y;
}

Box FeatureFrame::box() const {
  const Position least = space.unproject(low), most = space.unproject(high);
  return {least.lon, least.lat, most.lon, most.lat};
}

std::size_t feature_rows(std::size_t points) {
  return std::max(points, shortest_input);
}

void point_features(const FeatureFrame& frame, std::span<const Planar> points,
                    std::span<float> features) {
  assert(!points.empty() && features.size() == feature_rows(points.size()) * feature_count);
  const std::size_t rows = feature_rows(points.size());
  const std::size_t in_front = (rows - points.size()) / 2;
  const auto point_at = [&](std::size_t row) -> const Planar& {
    return points[std::min(row - std::min(row, in_front), points.size() - 1)];
  };
  const double width = frame.high.x - frame.low.x, height = frame.high.y - frame.low.y;
  Segment before;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool first = row == 0, last = row + 1 == rows;
    const Planar& point = point_at(row);
    const Segment after = last ? Segment{} : segment_between(point, point_at(row + 1));
    const std::array<double, feature_count> values = {
        (point.x - frame.low.x) / width,
        (point.y - frame.low.y) / height,
        before.kilometres,
        after.kilometres,
        before.heading,
        after.heading,
        first || last ? 0 : turn_between(before, after),
    };
    std::transform(values.begin(), values.end(),
                   features.begin() + static_cast<std::ptrdiff_t>(row * feature_count),
                   [](double value) { return static_cast<float>(value); });
    before = after;
  }
}

}  // namespace tsmini
