#include "tsmini/neighbour_search.h"

#include <algorithm>

#include "analyse/copied_neighbours.h"
#include "analyse/distinct_trips.h"

namespace tsmini {

NeighbourSearch::NeighbourSearch(const PlanarSet& trips, Measure measure,
                                 const MeasureSettings& settings)
    : trips_(trips),
      measure_(measure),
      settings_(settings),
      distinct_(std::make_shared<const DistinctTrips>(trips, measure, settings)) {}

std::size_t NeighbourSearch::copies() const {
  return distinct_->with_distance() - distinct_->size();
}

std::size_t NeighbourSearch::without_distance() const {
  return size() - distinct_->with_distance();
}

std::vector<Neighbour> NeighbourSearch::nearest(std::size_t trip, std::size_t k, SearchWork* work,
                                                const Heartbeat& heartbeat) const {
  const std::uint32_t number = distinct_->number_of(trip);
  if (number == DistinctTrips::none || k == 0) return {};
  k = std::min(k, size());
  SearchWork ignored;
  const auto near = distinct_->nearest(number, k, work != nullptr ? *work : ignored, heartbeat);
  return without(trip, with_copies(*distinct_, number, near, k + 1), k);
}

std::vector<Neighbour> NeighbourSearch::within(std::size_t trip, double radius, SearchWork* work,
                                               const Heartbeat& heartbeat) const {
  const std::uint32_t number = distinct_->number_of(trip);
  if (number == DistinctTrips::none || !(radius >= 0)) return {};
  SearchWork ignored;
  const auto near = distinct_->nearest_within(
      number, radius, 0, [number](std::size_t i) { return i != number; },
      work != nullptr ? *work : ignored, heartbeat);
  return without(trip, with_copies(*distinct_, number, near, size()), size());
}

}  // namespace tsmini
