#include <algorithm>
#include <cmath>
#include <numbers>

#include "learn/reference_net.h"

namespace tsmini {
namespace {

struct Step {
  double length = 0;   // m
  double degrees = 0;  // from east against the clock, [0, 360)
};

Step step_between(const Planar& a, const Planar& b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length == 0) return {};
  double degrees = std::atan2(b.y - a.y, b.x - a.x) * 180 / std::numbers::pi;
  if (degrees < 0) degrees += 360;
  return {length, degrees};
}

}  // namespace

Matrix reference_features(const FeatureFrame& frame, const std::vector<Planar>& given,
                          std::size_t octaves) {
  std::vector<Planar> points = given;
  while (points.size() < 7) {  // the last one first, then in turn
    points.push_back(points.back());
    if (points.size() < 7) points.insert(points.begin(), points.front());
  }
  const std::size_t n = points.size();
  Matrix rows;
  for (std::size_t i = 0; i < n; ++i) {
    const Step in = i > 0 ? step_between(points[i - 1], points[i]) : Step{};
    const Step out = i + 1 < n ? step_between(points[i], points[i + 1]) : Step{};
    double turn = std::abs(in.degrees - out.degrees);
    if (turn > 180) turn = 360 - turn;
    if (i == 0 || i + 1 == n) turn = 0;
    const double x = (points[i].x - frame.low.x) / (frame.high.x - frame.low.x);
    const double y = (points[i].y - frame.low.y) / (frame.high.y - frame.low.y);
    Vector row = {
        x, y, in.length / 1000, out.length / 1000, in.degrees / 360, out.degrees / 360, turn / 180};
    for (const double place : {x, y}) {
      for (std::size_t octave = 0; octave < octaves; ++octave) {
        const double angle = 2 * std::numbers::pi * std::pow(2.0, static_cast<double>(octave));
        row.push_back(std::sin(angle * place));
        row.push_back(std::cos(angle * place));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tsmini
