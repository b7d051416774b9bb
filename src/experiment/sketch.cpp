#include "experiment/sketch.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

namespace tsmini::experiment {
namespace {

constexpr std::size_t many = 16;

Planar between(const Planar& a, const Planar& b, double share) {
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

double apart(const Planar& a, const Planar& b) {
  const double x = a.x - b.x, y = a.y - b.y;
  return std::sqrt(x * x + y * y);
}

std::vector<Planar> by_length(std::span<const Planar> trip) {
  std::vector<double> travelled{0};
  for (std::size_t i = 1; i < trip.size(); ++i)
    travelled.push_back(travelled.back() + apart(trip[i - 1], trip[i]));
  std::vector<Planar> points;
  std::size_t i = 0;  // of the last point that is not behind the one looked for
  for (std::size_t k = 0; k + 1 < many; ++k) {
    const double target = travelled.back() * static_cast<double>(k) / (many - 1);
    while (i + 1 < trip.size() && travelled[i + 1] <= target) ++i;
    points.push_back(i + 1 < trip.size()
                         ? between(trip[i], trip[i + 1],
                                   (target - travelled[i]) / (travelled[i + 1] - travelled[i]))
                         : trip[i]);
  }
  points.push_back(trip.back());
  return points;
}

std::vector<Planar> by_index(std::span<const Planar> trip) {
  std::vector<Planar> points;
  for (std::size_t k = 0; k < many; ++k) {
    const double place = static_cast<double>(k * (trip.size() - 1)) / (many - 1);
    const auto i = static_cast<std::size_t>(place);
    const std::size_t next = std::min(i + 1, trip.size() - 1);
    points.push_back(between(trip[i], trip[next], place - static_cast<double>(i)));
  }
  return points;
}

std::vector<Planar> corners(std::span<const Planar> trip) {
  PlanarBox box;
  for (const Planar& point : trip) box.add(point);
  return {box.low, box.high};
}

std::vector<Planar> middle_and_ends(std::span<const Planar> trip) {
  const auto count = static_cast<double>(trip.size());
  Planar mean;
  for (const Planar& point : trip) mean = {mean.x + point.x / count, mean.y + point.y / count};
  return {trip.front(), mean, trip.back()};
}

bool takes_worst_point(Measure measure) {
  switch (measure) {
    case Measure::frechet:
    case Measure::frechet_continuous:
    case Measure::hausdorff:
    case Measure::hausdorff_segment: return true;
    default: return false;
  }
}

}  // namespace

const std::vector<Sketch>& sketches() {
  static const std::vector<Sketch> all{
      {"length", "16 points by length", 2 * many, by_length},
      {"index", "16 points by index", 2 * many, by_index},
      {"box", "bounding box", 4, corners},
      {"ends", "centroid and ends", 6, middle_and_ends},
  };
  return all;
}

std::vector<float> sketch_distances(const Sketch& sketch, const PlanarSet& trips, Measure measure) {
  const std::size_t n = trips.size(), kept = sketch.numbers / 2;
  std::vector<Planar> points;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Planar> own = sketch.points(trips[i]);
    points.insert(points.end(), own.begin(), own.end());
  }
  const bool worst = takes_worst_point(measure);
  std::vector<float> distances(n * n);
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, largest = 0;
      for (std::size_t k = 0; k < kept; ++k) {
        const double distance = apart(points[i * kept + k], points[j * kept + k]);
        sum += distance;
        largest = std::max(largest, distance);
      }
      distances[i * n + j] = static_cast<float>(worst ? largest : sum);
    }
  });
  return distances;
}

}  // namespace tsmini::experiment
