// Collections of a few hundred short trips with a tiny model of random weights.
#pragma once

#include <string>
#include <vector>

#include "tsmini/collection.h"

#include "encode/random_model.h"
#include "support/datasets.h"

namespace tsmini {

inline Model small_model(Measure measure = Measure::frechet) {
  NetSettings settings;
  settings.dimension = 32;
  settings.hidden = 32;
  Model model = random_model(settings);
  model.measure = measure;
  model.calibration = {700, 1.2};
  return model;
}

// Ids are PREFIX0, PREFIX1, …; every other trip has times, trip n from 1000 n on, a second a point.
inline Dataset small_trips(std::size_t count, const std::string& prefix = "t",
                           std::uint64_t seed = 1) {
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < count; ++i) {
    const OwnedTrajectory trip{prefix + std::to_string(i),
                               random_trip(5 + (seed * 7 + i * 13) % 30, seed * 100'000 + i),
                               {}};
    std::vector<std::int64_t> times;
    for (std::size_t p = 0; i % 2 == 0 && p < trip.points.size(); ++p) {
      times.push_back(static_cast<std::int64_t>(1000 * i + p));
    }
    builder.add({trip.id, trip.points, times});
  }
  return builder.finish();
}

// What the only model of a collection has seen.
inline CollectionModel only_model(const Collection& collection) {
  return collection.models().at(0);
}

inline std::vector<std::string> ids_of(const SearchResult& result) {
  std::vector<std::string> ids;
  for (const Answer& answer : result.answers) ids.push_back(answer.trip.id);
  return ids;
}

}  // namespace tsmini
