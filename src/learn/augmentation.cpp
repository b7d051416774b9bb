#include "learn/augmentation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/nth_smallest.h"
#include "base/random.h"
#include "learn/data_parts.h"

namespace tsmini::learn {
namespace {

using Path = std::vector<Position>;

// A point of a trip: its number among the trips, and the point's among its own.
struct Place {
  std::uint64_t cell = 0;
  std::uint32_t trip = 0;
  std::uint32_t point = 0;
};

// How often something is told.
constexpr std::size_t trips_between = 64, comparisons_between = 1 << 22;

class Composer {
 public:
  // `tell` is called now and then, for what it throws.
  template <class Tell>
  Composer(const Dataset& data, std::span<const std::size_t> indices, double rough,
           std::uint64_t seed, const Tell& tell)
      : data_(data), indices_(indices), rough_(rough), random_(seed, 0x7a21) {
    measure(tell);
    for (std::size_t t = 0; t < indices.size(); ++t) {
      if (t % trips_between == 0) tell();
      const auto points = trip(t);
      for (std::size_t i = 1; i + 1 < points.size(); ++i)
        places_.push_back(
            {cell_of(points[i]), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(i)});
    }
    std::uint64_t compared = 0;
    std::stable_sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
      if (++compared % comparisons_between == 0) tell();
      return a.cell < b.cell;
    });
  }

  Path make() {
    Path points = composed();
    if (random_.chance(rough_)) roughen(points);
    return points;
  }

 private:
  Path composed() {
    const double kind = random_.uniform();
    if (kind < 0.6) return spliced();
    return kind < 0.8 ? turned() : stretch();
  }

  std::span<const Position> trip(std::size_t number) const {
    return data_[indices_[number]].points;
  }

  template <class Tell>
  void measure(const Tell& tell) {
    const Box& extent = data_.info().extent;
    if (data_.info().coordinates == Coordinates::degrees)
      narrow_ = std::cos((extent.min_lat + extent.max_lat) / 2 * std::numbers::pi / 180);
    std::vector<double> steps;
    shortest_ = trip(0).size();
    for (std::size_t t = 0; t < indices_.size(); ++t) {
      if (t % trips_between == 0) tell();
      const auto points = trip(t);
      shortest_ = std::min(shortest_, points.size());
      longest_ = std::max(longest_, points.size());
      for (const Position& p : points) box_.add(p);
      for (std::size_t i = 0; i + 1 < points.size(); ++i)
        steps.push_back(std::hypot((points[i + 1].lon - points[i].lon) * narrow_,
                                   points[i + 1].lat - points[i].lat));
    }
    farthest_ = reach();
    if (steps.empty()) return;
    const double typical = nth_smallest(steps, steps.size() / 2);
    if (typical > 0) side_ = typical;
  }

  // 600 m, or a tenth of the way across where that is less.
  double reach() const {
    constexpr double farthest = 600, metres_a_degree = 111'195;
    const double across =
        std::hypot((box_.max_lon - box_.min_lon) * narrow_, box_.max_lat - box_.min_lat);
    const bool degrees = data_.info().coordinates == Coordinates::degrees;
    return std::min(degrees ? farthest / metres_a_degree : farthest, across / 10);
  }

  // Squares as wide as the usual step between points.
  std::uint64_t cell_of(const Position& p) const {
    const auto x = static_cast<std::int64_t>(std::floor(p.lon * narrow_ / side_));
    const auto y = static_cast<std::int64_t>(std::floor(p.lat / side_));
    return Random::mix(static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u +
                       static_cast<std::uint64_t>(y));
  }

  bool same_way(std::span<const Position> a, std::size_t i, std::span<const Position> b,
                std::size_t j) const {
    const double ax = (a[i + 1].lon - a[i - 1].lon) * narrow_, ay = a[i + 1].lat - a[i - 1].lat;
    const double bx = (b[j + 1].lon - b[j - 1].lon) * narrow_, by = b[j + 1].lat - b[j - 1].lat;
    return ax * bx + ay * by > 0.7 * std::hypot(ax, ay) * std::hypot(bx, by);
  }

  Path spliced() {
    constexpr int tries = 20;
    const auto less = [](const Place& a, const Place& b) { return a.cell < b.cell; };
    for (int attempt = 0; attempt < tries && !places_.empty(); ++attempt) {
      const Place& from = places_[random_.below(places_.size())];
      const auto [begin, end] = std::equal_range(places_.begin(), places_.end(), from, less);
      const Place& to = begin[static_cast<std::ptrdiff_t>(
          random_.below(static_cast<std::uint64_t>(end - begin)))];
      if (to.trip == from.trip) continue;
      const auto a = trip(from.trip), b = trip(to.trip);
      const std::size_t length = from.point + 1 + (b.size() - to.point - 1);
      if (length < shortest_ || length > longest_ || !same_way(a, from.point, b, to.point))
        continue;
      Path points(a.begin(), a.begin() + from.point + 1);
      points.insert(points.end(), b.begin() + to.point + 1, b.end());
      return points;
    }
    return turned();
  }

  Path turned() {
    const auto points = trip(random_.below(indices_.size()));
    return {points.rbegin(), points.rend()};
  }

  Path stretch() {
    const auto points = trip(random_.below(indices_.size()));
    const std::size_t least = std::max(shortest_, points.size() / 2);
    const std::size_t length = least + random_.below(points.size() - least + 1);
    const std::size_t begin = random_.below(points.size() - length + 1);
    return {points.begin() + static_cast<std::ptrdiff_t>(begin),
            points.begin() + static_cast<std::ptrdiff_t>(begin + length)};
  }

  void roughen(Path& points) {
    constexpr double fewest_kept = 0.1;
    const std::uint64_t kind = random_.below(3);
    if (kind != 0) thin(points, random_.uniform(fewest_kept, 1));
    if (kind != 1) move(points, random_.uniform(0, farthest_));
  }

  void thin(Path& points, double kept) {
    const Path ends{points.front(), points.back()};
    std::erase_if(points, [&](const Position&) { return !random_.chance(kept); });
    if (points.size() < 2) points = ends;
  }

  // Each point by the same distance in a direction of its own.
  void move(Path& points, double distance) {
    for (Position& p : points) {
      const double angle = random_.uniform(0, 2 * std::numbers::pi);
      p.lon = std::clamp(p.lon + distance * std::cos(angle) / narrow_, box_.min_lon, box_.max_lon);
      p.lat = std::clamp(p.lat + distance * std::sin(angle), box_.min_lat, box_.max_lat);
    }
  }

  const Dataset& data_;
  std::span<const std::size_t> indices_;
  double rough_;
  Random random_;
  double narrow_ = 1;       // a degree of longitude, in degrees of latitude
  double side_ = 1;         // the usual step between points
  double farthest_ = 0;     // that a rough trip moves its points
  Box box_ = Box::empty();  // of the trips
  std::size_t shortest_ = 0, longest_ = 0;
  std::vector<Place> places_;  // but for the ends of trips, by cell
};

}  // namespace

Augmented augment(const Dataset& data, std::vector<std::size_t> indices,
                  const AugmentationPlan& plan, std::uint64_t seed, const Progress& progress) {
  const std::size_t total = plan.total;
  std::uint64_t points_so_far = points_of(data, indices);
  if (indices.empty() || total <= indices.size() || points_so_far >= plan.most_points)
    return {data, std::move(indices)};
  const auto tell = [&](std::size_t done) {
    if (progress) progress({done, total});
  };
  DatasetBuilder builder(data.info().coordinates);
  for (std::size_t n = 0; n < indices.size(); ++n) {
    if (n % trips_between == 0) tell(n);
    const Trajectory trip = data[indices[n]];
    builder.add({trip.id, trip.points, {}});
  }
  Composer composer(data, indices, plan.rough, seed, [&] { tell(indices.size()); });
  std::size_t count = indices.size();
  for (; count < total && points_so_far < plan.most_points; ++count) {
    if (count % trips_between == 0) tell(count);
    const Path points = composer.make();
    points_so_far += points.size();
    builder.add({"composed " + std::to_string(count), points, {}});
  }
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {builder.finish(), std::move(all)};
}

}  // namespace tsmini::learn
