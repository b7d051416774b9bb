// A synthetic city and its taxi trips, for tests, demonstrations and benchmarks without data.
//
// The city has a river with bridges, a motorway ring, arterials, a gridded part and an organic old
// town; trips run between weighted hot spots along fastest paths, sampled every 15 s with jitter,
// GPS noise and the odd glitch. Points per trip, trip length and nearest-neighbour distances follow
// those of a year of taxi trips in Porto within 15 %.
//
// The same options give the same trips, bit for bit, on every machine and with any number of
// threads. Trips are independent of `count`: the first 100 of 10,000 are the 100 of 100.
//
//   synthesize_city({.count = 10'000, .seed = 7}, [&](const Trajectory& trip) { … });
#pragma once

#include <cstdint>
#include <functional>

#include "tsmini/progress.h"
#include "tsmini/trajectory.h"

namespace tsmini {

struct CityOptions {
  std::uint64_t count = 10'000;  // trips
  std::uint64_t seed = 1;        // of the streets as well as the trips
};

// Calls `sink` once per trip, in order, from one thread at a time; the view is valid only within
// the call. Ids are "trip-0000001" and so on. Memory does not grow with `count`.
void synthesize_city(const CityOptions& options, const std::function<void(const Trajectory&)>& sink,
                     const Progress& progress = {});

}  // namespace tsmini
