#include "tsmini/planar_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/reach.h"

namespace tsmini {
namespace {

// Their squares, and sums of many of them, are finite too.
bool is_measurable(const Planar& p) {
  constexpr double limit = 1e150;
  return std::abs(p.x) <= limit && std::abs(p.y) <= limit;
}

[[noreturn]] void throw_empty(const std::string& name) {
  throw Error(ErrorCode::bad_input, fmt::format("trajectory {} has no points", name),
              "measures need at least one point; drop it at import");
}

[[noreturn]] void throw_not_measurable(const std::string& name) {
  throw Error(ErrorCode::bad_input,
              fmt::format("trajectory {} has a point that is not finite in this space, or beyond "
                          "1e150",
                          name),
              "check its coordinates, or choose another space");
}

Planar middle_of(std::span<const Planar> points) {
  if (points.empty()) return {};
  Planar low = points.front(), high = points.front();
  for (const Planar& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {std::midpoint(low.x, high.x), std::midpoint(low.y, high.y)};
}

std::vector<std::size_t> all_of(const Dataset& data) {
  std::vector<std::size_t> indices(data.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace

struct PlanarSet::Storage {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets;
};

PlanarSet::PlanarSet(const Dataset& data, const Space& space)
    : PlanarSet(data, space, all_of(data)) {}

PlanarSet::PlanarSet(const Dataset& data, const Space& space,
                     std::span<const std::size_t> indices) {
  Storage storage;
  storage.offsets.reserve(indices.size() + 1);
  storage.offsets.push_back(0);
  for (const std::size_t index : indices) {
    storage.offsets.push_back(storage.offsets.back() + data[index].size());
  }
  storage.points.resize(storage.offsets.back());
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, indices.size(), 256),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const auto positions = data[indices[i]].points;
          std::transform(positions.begin(), positions.end(),
                         storage.points.begin() + static_cast<std::ptrdiff_t>(storage.offsets[i]),
                         [&](const Position& p) { return space.project(p); });
        }
      });
  adopt(std::move(storage));
  for (std::size_t i = 0; i < size(); ++i) {
    const auto name = [&] { return fmt::format("'{}'", data[indices[i]].id); };
    if ((*this)[i].empty()) throw_empty(name());
    if (!std::all_of((*this)[i].begin(), (*this)[i].end(), is_measurable))
      throw_not_measurable(name());
  }
  if (!std::all_of(points_.begin(), points_.end(),
                   [&](const Planar& p) { return reaches(space, p); })) {
    throw out_of_reach(space, data, farthest_place(space, data, indices));
  }
}

PlanarSet::PlanarSet(std::vector<Planar> points, std::vector<std::uint64_t> offsets) {
  assert(!offsets.empty() && offsets.front() == 0 && offsets.back() == points.size());
  adopt({std::move(points), std::move(offsets)});
  for (std::size_t i = 0; i < size(); ++i) {
    if ((*this)[i].empty()) throw_empty(fmt::format("{}", i));
    if (!std::all_of((*this)[i].begin(), (*this)[i].end(), is_measurable)) {
      throw_not_measurable(fmt::format("{}", i));
    }
  }
}

PlanarSet PlanarSet::subset(std::span<const int> indices) const {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const int index : indices) {
    const auto trip = (*this)[static_cast<std::size_t>(index)];
    points.insert(points.end(), trip.begin(), trip.end());
    offsets.push_back(points.size());
  }
  PlanarSet result(std::move(points), std::move(offsets));
  result.origin_ = origin_;
  return result;
}

void PlanarSet::adopt(Storage storage) {
  const auto shared = std::make_shared<const Storage>(std::move(storage));
  points_ = shared->points;
  offsets_ = shared->offsets;
  origin_ = middle_of(points_);
  storage_ = shared;
}

}  // namespace tsmini
