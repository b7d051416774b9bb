#include "tsmini/planar_set.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include "tsmini/error.h"
#include "tsmini/reach.h"

namespace tsmini {
namespace {

// Whether the squares of the coordinates, and sums of many such squares, are finite too.
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
  const PlanarBox box = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, points.size(), 1 << 16), PlanarBox(),
      [&](const tbb::blocked_range<std::size_t>& range, PlanarBox found) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) found.add(points[i]);
        return found;
      },
      [](PlanarBox a, const PlanarBox& b) {
        a.add(b);
        return a;
      });
  return {std::midpoint(box.low.x, box.high.x), std::midpoint(box.low.y, box.high.y)};
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
  std::atomic<bool> is_sound = true;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, indices.size(), 256),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const auto positions = data[indices[i]].points;
          const std::span<Planar> points =
              std::span(storage.points).subspan(storage.offsets[i], positions.size());
          std::transform(positions.begin(), positions.end(), points.begin(),
                         [&](const Position& p) { return space.project(p); });
          if (points.empty() || !std::all_of(points.begin(), points.end(), [&](const Planar& p) {
                return is_measurable(p) && reaches(space, p);
              })) {
            is_sound = false;
          }
        }
      });
  adopt(std::move(storage));
  if (!is_sound) throw_unsound(data, space, indices);
}

// The first trajectory that cannot be measured, or the farthest point.
void PlanarSet::throw_unsound(const Dataset& data, const Space& space,
                              std::span<const std::size_t> indices) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto name = [&] { return fmt::format("'{}'", data[indices[i]].id); };
    if ((*this)[i].empty()) throw_empty(name());
    if (!std::all_of((*this)[i].begin(), (*this)[i].end(), is_measurable))
      throw_not_measurable(name());
  }
  throw out_of_reach(space, data, farthest_place(space, data, indices));
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
