// Data sets that maps must cope with, and their points.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini {

using Trips = std::vector<std::vector<Position>>;

inline Dataset dataset_of(const Trips& trips, Coordinates coordinates = Coordinates::degrees) {
  DatasetBuilder builder(coordinates);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    builder.add({"trip " + std::to_string(i), trips[i], {}});
  }
  return builder.finish();
}

// Random walks around a place, with a glitch far away.
inline Trips some_trips(Position centre, double spread) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> step(0, 0.1 * spread);
  Trips trips;
  for (int i = 0; i < 100; ++i) {
    std::vector<Position> points{centre};
    for (int k = 0; k < 30; ++k) {
      points.push_back({points.back().lon + step(random), points.back().lat + step(random)});
    }
    trips.push_back(points);
  }
  trips[50][7] = {centre.lon + 100 * spread, centre.lat + 50 * spread};
  return trips;
}

inline std::vector<std::pair<const char*, Dataset>> odd_datasets() {
  constexpr Coordinates planar = Coordinates::planar;
  return {
      {"one point", dataset_of({{{-8.61, 41.15}}})},
      {"equal points", dataset_of({{{5, 5}, {5, 5}, {5, 5}}, {{5, 5}}})},
      {"points only", dataset_of({{{5, 5}}, {{5.1, 5.1}}, {{5.2, 5.05}}})},
      {"the pole", dataset_of({{{0, 90}, {90, 89.9}}})},
      {"the world", dataset_of({{{-180, -90}, {180, 90}}, {{-180, 90}, {180, -90}}})},
      {"the antimeridian", dataset_of({{{179.9, -17}, {-179.9, -17.1}}})},
      {"a flat line", dataset_of({{{0, 10}, {10, 10}}})},
      {"an upright line", dataset_of({{{0, 10}, {0, 20}}})},
      {"planar at zero", dataset_of({{{0, 0}}}, planar)},
      {"planar, large", dataset_of({{{1e7, -1e7}, {1e7 + 5, -1e7 + 3}}}, planar)},
      {"planar, small", dataset_of({{{1e-9, 0}, {2e-9, 3e-9}}}, planar)},
      {"planar, huge", dataset_of({{{-1e300, 0}, {1e300, 1e300}}}, planar)},
      {"1 : 100", dataset_of({{{0, 0}, {100, 1}}, {{50, 0}}}, planar)},
      {"100 : 1", dataset_of({{{0, 0}, {1, 100}}, {{0, 50}}}, planar)},
  };
}

}  // namespace tsmini
