// Taxi trips: a ride through the network, and what a GPS receiver in the car reports of it.
//
// Every trip draws from a random stream of its own number, so trips do not depend on each other, on
// how many there are, or on the thread that makes them. About 0.1 ms per trip.
//
//   TripMaker maker(router, places, seed);   // one per thread
//   Trip trip;
//   maker.make(1, trip);                     // 20 to 200 points, 15 s apart
#pragma once

#include <cstdint>
#include <vector>

#include "tsmini/trajectory.h"

#include "base/random.h"
#include "data/city/places.h"
#include "data/city/routes.h"

namespace tsmini::city {

inline constexpr std::size_t fewest_points = 20, most_points = 200;

struct Trip {
  std::vector<Position> points;     // no two neighbours are equal
  std::vector<std::int64_t> times;  // unix seconds, strictly increasing
};

class TripMaker {
 public:
  TripMaker(const Router& router, const Places& places, std::uint64_t seed)
      : network_(router.network()), places_(places), seed_(seed), search_(router) {}

  // The trip of this number, from 1 on.
  void make(std::uint64_t number, Trip& trip);

 private:
  struct Moment {
    double time;  // seconds since the trip began
    Point at;
  };

  void choose_path(Random& random);
  void drive(double pace, Random& random);
  void report(std::int64_t start, Random& random, Trip& trip) const;

  const Network& network_;
  const Places& places_;
  std::uint64_t seed_;
  RouteSearch search_;
  std::vector<std::uint32_t> path_;  // nodes
  std::vector<Moment> ride_;
};

}  // namespace tsmini::city
