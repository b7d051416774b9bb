// The trips of one set as neighbours of each other: what duplicates, clusters and outliers are
// found with (tsmini/duplicates.h, density_clusters.h, medoids.h, outliers.h).
//
//   const NeighbourSearch search(trips, Measure::frechet);
//   for (const Neighbour& n : search.nearest(17, 10)) use(n.index, n.distance);  // of trip 17
//
// All indices are those of the set. Answers are exact, by rising distance, ties to the lower index;
// a trip is not its own neighbour. Trips that are equal point for point (copies) are searched once,
// so that a hundred thousand copies cost what one trip does; they have no distance at all. A trip
// that the measure gives no distance (edwp: one of a single point) has no neighbours and is
// nobody's.
//
// Building is linear in the points, but for a sort; about 50 bytes a point with the set itself.
// Searching is const and may run on any number of threads. Copies share what is inside.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini {

class DistinctTrips;

class NeighbourSearch {
 public:
  // Throws Error(usage) where the settings do not fit the measure.
  NeighbourSearch(const PlanarSet& trips, Measure measure, const MeasureSettings& settings = {});

  std::size_t size() const { return trips_.size(); }
  const PlanarSet& trips() const { return trips_; }
  Measure measure() const { return measure_; }
  const MeasureSettings& settings() const { return settings_; }

  // How many trips are copies of one with a lower index, and to how many the measure gives no
  // distance.
  std::size_t copies() const;
  std::size_t without_distance() const;
  bool has_distance(std::size_t trip) const { return is_defined(measure_, trips_.length(trip)); }

  // What ExactSearch answers with the trip itself left out. `work` is added to.
  std::vector<Neighbour> nearest(std::size_t trip, std::size_t k, SearchWork* work = nullptr,
                                 const Heartbeat& heartbeat = {}) const;
  std::vector<Neighbour> within(std::size_t trip, double radius, SearchWork* work = nullptr,
                                const Heartbeat& heartbeat = {}) const;

  // What the findings share; its header is not installed.
  const DistinctTrips& distinct() const { return *distinct_; }

 private:
  PlanarSet trips_;
  Measure measure_;
  MeasureSettings settings_;
  std::shared_ptr<const DistinctTrips> distinct_;
};

}  // namespace tsmini
