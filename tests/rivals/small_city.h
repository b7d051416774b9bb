// A few short trips, and what a rival makes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "rivals/core/rival.h"
#include "rivals/core/training.h"
#include "rivals/plain.h"

namespace tsmini::rivals {

// Points of a trip.
struct Lengths {
  std::size_t least = 20, most = 40;
};
inline constexpr Lengths short_trips{8, 12};  // where steps are many and lengths do not matter

// The first points of synthetic trips, in Web-Mercator metres.
PlanarSet small_trips(std::size_t count, const Lengths& lengths = {});
City small_city(std::size_t count = 64, const Lengths& lengths = {});
// Three trips of 64, one of a point, one of identical points, one that leaves the city.
PlanarSet odd_trips(const PlanarSet& trips);

// Made for a small city, with weights from the seed.
struct Small {
  City city;
  Ground ground;
  std::shared_ptr<Rival> rival;
};
Small small_rival(const RivalKind& kind, const Settings& settings = {}, std::size_t trips = 64,
                  const Lengths& lengths = {});

TrainingSet training_set(const Rival& rival, const PlanarSet& trips, Measure measure);

// That each of the trips is embedded as its formulas say.
void expect_embeddings(const Small& small, const PlanarSet& trips,
                       const std::function<plain::Row(std::span<const Planar>)>& expected);

// Trains and keeps the weights that are best on the very trips that it learns from. Their HR@10.
double overfit(const Small& small, const TrainingSet& set, std::uint64_t steps);
// The same, of a new rival and 64 short trips.
double overfitted_hr10(const RivalKind& kind, const Settings& settings, std::uint64_t steps);

}  // namespace tsmini::rivals
