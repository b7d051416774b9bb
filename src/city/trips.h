// Taxi trips: a ride through the network, and what a GPS receiver in the car reports of it.
//
// Every trip draws from a random stream of its own number, so trips do not depend on each other, on
// how many there are, or on the thread that makes them. About 0.1 ms per trip.
//
//   TripMaker maker(router, places, options);   // one per thread
//   Trip trip;
//   maker.make(1, trip);                        // 20 to 200 points, 15 s apart
#pragma once

#include <cstdint>
#include <vector>

#include "tsmini/city.h"
#include "tsmini/trajectory.h"

#include "base/random.h"
#include "city/places.h"
#include "city/routes.h"

namespace tsmini::city {

// The usual ride lasts ten minutes; one in a hundred is shorter than this, and one is longer.
inline constexpr double shortest_ride = 60, longest_ride = 1800;  // seconds

struct Trip {
  std::vector<Position> points;     // no two neighbours are equal
  std::vector<std::int64_t> times;  // unix seconds, strictly increasing
};

class TripMaker {
 public:
  // The options must leave room for rides between shortest_ride and longest_ride, or the search
  // for one does not end.
  TripMaker(const Router& router, const Places& places, const CityOptions& options)
      : network_(router.network()), places_(places), options_(options), search_(router) {}

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
  CityOptions options_;
  RouteSearch search_;
  std::vector<std::uint32_t> path_;  // nodes
  std::vector<Moment> ride_;
};

}  // namespace tsmini::city
