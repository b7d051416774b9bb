// A few short trips, and what a rival makes of them.
#pragma once

#include <cstdint>
#include <memory>

#include "rivals/core/rival.h"
#include "rivals/core/training.h"

namespace tsmini::rivals {

// Synthetic trips of 20 to 40 points in Web-Mercator metres.
PlanarSet small_trips(std::size_t count, std::uint64_t seed = 1);
City small_city(std::size_t count = 64);

// Made for a small city, with weights from the seed.
struct Small {
  City city;
  Ground ground;
  std::shared_ptr<Rival> rival;
};
Small small_rival(const RivalKind& kind, const Settings& settings = {}, std::size_t trips = 64);

TrainingSet training_set(const Rival& rival, const PlanarSet& trips, Measure measure);

// HR@10 of a rival on the very trips that it has learned from.
double overfitted_hr10(const RivalKind& kind, const Settings& settings, std::uint64_t steps,
                       std::size_t trips = 64);

}  // namespace tsmini::rivals
