#include "learn/lessons.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace tsmini::learn {
namespace {

using Points = std::vector<Position>;

// A point of a trip: its number among the trips, and the point's among its own.
struct Place {
  std::uint64_t cell = 0;
  std::uint32_t trip = 0;
  std::uint32_t point = 0;
};

class Composer {
 public:
  Composer(const Dataset& data, std::span<const std::size_t> indices, std::uint64_t seed)
      : data_(data), indices_(indices), random_(seed, 0x7a21) {
    measure();
    for (std::size_t t = 0; t < indices.size(); ++t) {
      const auto points = trip(t);
      for (std::size_t i = 1; i + 1 < points.size(); ++i)
        places_.push_back(
            {cell_of(points[i]), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(i)});
    }
    std::stable_sort(places_.begin(), places_.end(),
                     [](const Place& a, const Place& b) { return a.cell < b.cell; });
  }

  Points make() {
    const double kind = random_.uniform();
    if (kind < 0.6) return spliced();
    return kind < 0.8 ? turned() : stretch();
  }

 private:
  std::span<const Position> trip(std::size_t number) const {
    return data_[indices_[number]].points;
  }

  // Degrees of longitude are shorter than those of latitude.
  void measure() {
    const Box& extent = data_.info().extent;
    if (data_.info().coordinates == Coordinates::degrees)
      narrow_ = std::cos((extent.min_lat + extent.max_lat) / 2 * std::numbers::pi / 180);
    std::vector<double> steps;
    shortest_ = trip(0).size();
    for (std::size_t t = 0; t < indices_.size(); ++t) {
      const auto points = trip(t);
      shortest_ = std::min(shortest_, points.size());
      longest_ = std::max(longest_, points.size());
      for (std::size_t i = 0; i + 1 < points.size(); ++i)
        steps.push_back(std::hypot((points[i + 1].lon - points[i].lon) * narrow_,
                                   points[i + 1].lat - points[i].lat));
    }
    if (steps.empty()) return;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    if (*middle > 0) side_ = *middle;
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

  Points spliced() {
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
      Points points(a.begin(), a.begin() + from.point + 1);
      points.insert(points.end(), b.begin() + to.point + 1, b.end());
      return points;
    }
    return turned();
  }

  Points turned() {
    const auto points = trip(random_.below(indices_.size()));
    return {points.rbegin(), points.rend()};
  }

  Points stretch() {
    const auto points = trip(random_.below(indices_.size()));
    const std::size_t least = std::max(shortest_, points.size() / 2);
    const std::size_t length = least + random_.below(points.size() - least + 1);
    const std::size_t begin = random_.below(points.size() - length + 1);
    return {points.begin() + static_cast<std::ptrdiff_t>(begin),
            points.begin() + static_cast<std::ptrdiff_t>(begin + length)};
  }

  const Dataset& data_;
  std::span<const std::size_t> indices_;
  Random random_;
  double narrow_ = 1;
  double side_ = 1;
  std::size_t shortest_ = 0, longest_ = 0;
  std::vector<Place> places_;  // but for the ends of trips, by cell
};

}  // namespace

Lessons lessons_of(const Dataset& data, std::vector<std::size_t> indices, std::size_t total,
                   std::uint64_t seed) {
  if (indices.empty() || total <= indices.size()) return {data, std::move(indices)};
  DatasetBuilder builder(data.info().coordinates);
  for (const std::size_t index : indices) builder.add({data[index].id, data[index].points, {}});
  Composer composer(data, indices, seed);
  for (std::size_t n = indices.size(); n < total; ++n) {
    const Points points = composer.make();
    builder.add({"composed " + std::to_string(n), points, {}});
  }
  std::vector<std::size_t> all(total);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {builder.finish(), std::move(all)};
}

}  // namespace tsmini::learn
