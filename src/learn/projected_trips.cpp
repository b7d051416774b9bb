#include "learn/projected_trips.h"

#include <cstdint>
#include <numeric>
#include <utility>

#include "learn/in_stretches.h"

namespace tsmini::learn {

ProjectedTrips::ProjectedTrips(const Dataset& data, std::span<const std::size_t> indices,
                               const Space& space, const Progress& progress)
    : data_(data), indices_(indices.begin(), indices.end()), space_(space) {
  in_stretches(data, indices, progress, [&](std::size_t from, std::size_t to) {
    const PlanarSet trips(data, space, indices.subspan(from, to - from));
    for (std::size_t i = 0; i < trips.size(); ++i) {
      for (const Planar& p : trips[i]) extent_.add(p);
    }
  });
}

// A set's origin is the middle of its extent, and a subset keeps it: so a trip of two corners comes
// along, and is left out again.
PlanarSet ProjectedTrips::subset(std::span<const int> ids) const {
  std::vector<std::size_t> some;
  some.reserve(ids.size());
  for (const int id : ids) some.push_back(indices_[static_cast<std::size_t>(id)]);
  const PlanarSet trips(data_, space_, some);
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < trips.size(); ++i) {
    points.insert(points.end(), trips[i].begin(), trips[i].end());
    offsets.push_back(points.size());
  }
  points.insert(points.end(), {extent_.low, extent_.high});
  offsets.push_back(points.size());
  std::vector<int> without_corners(ids.size());
  std::iota(without_corners.begin(), without_corners.end(), 0);
  return PlanarSet(std::move(points), std::move(offsets)).subset(without_corners);
}

}  // namespace tsmini::learn
