// A synthetic city and its taxi trips, for tests, demonstrations and benchmarks without data.
//
// The city has a river with bridges, a motorway ring, arterials, a gridded part and an organic old
// town; trips run between weighted hot spots along fastest paths, sampled every 15 s with jitter,
// GPS noise and the odd glitch. Points per trip, trip length and nearest-neighbour distances follow
// those of a year of taxi trips in Porto within 15 %. A denser sampling gives longer sequences of
// points along the same kinds of rides, which last ten minutes on average.
//
// The same options give the same trips, bit for bit, on every machine and with any number of
// threads. Trips are independent of `count`: the first 100 of 10,000 are the 100 of 100.
//
//   synthesize_city({.count = 10'000, .seed = 7}, [&](const Trajectory& trip) { use(trip); });
//   synthesize_city({.sampling = 1, .fewest_points = 400, .most_points = 800}, sink);
#pragma once

#include <cstdint>
#include <functional>

#include "tsmini/progress.h"
#include "tsmini/trajectory.h"

namespace tsmini {

struct CityOptions {
  std::uint64_t count = 10'000;                       // trips
  std::uint64_t seed = 1;                             // of the streets as well as the trips
  double sampling = 15;                               // seconds between points, 1 at least
  std::size_t fewest_points = 20, most_points = 200;  // of a trip; others are not made
};

// Calls `sink` once per trip, in order, from one thread at a time; the view is valid only within
// the call. Ids are "trip-0000001" and so on. Memory does not grow with `count`. Throws
// Error(usage) where the sampling is below a second or the range of points leaves no rides: it must
// reach from half an hour's points or fewer to a minute's or more.
void synthesize_city(const CityOptions& options, const std::function<void(const Trajectory&)>& sink,
                     const Progress& progress = {});

}  // namespace tsmini
