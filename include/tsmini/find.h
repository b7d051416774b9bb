// Where in which trips is this piece: the stretches of trips that are most like it, exactly.
//
// A match is a stretch of consecutive points of a trip, and its distance the dtw or frechet
// distance of the piece to these points alone, equal to distance() to the last bit. The answer is
// greedy: the best match of all, then the best of those that share no point with it, and so on.
// Better is the smaller distance; of equal distances the lower trip, in a trip the match that ends
// earlier, and of those that end at the same point the one with the fewest points. That is what
// comparing the piece with every stretch of every trip in double precision gives.
//
//   const PieceFinder finder(trips);                          // PlanarSet
//   for (const PieceMatch& m : finder.find(Measure::dtw, piece, {.k = 10, .max_length = 3000})) {
//     use(m.distance, trips[m.trip].subspan(m.first, m.last - m.first + 1));
//   }
//
// Lengths are along the path, in the unit of the space, as is the distance: a match of one point
// has length 0. They keep out a match that dwells, or is too short to mean anything.
//
// How. Boxes around 8 points each bound the distance of every trip from below, at no more than a
// few nanoseconds a point of the piece; what they leave over is computed in single precision, best
// bound first, 16 trips side by side (one table for all stretches of a trip: its first row is free
// to begin anywhere, its last to end anywhere), and what may hold an answer once more in double,
// with the start of each end kept along. One row of a table is kept at a time: memory is linear in
// the longest trip, besides 16 bytes for every 8 points of the base.
// Time is linear in the trips, and in points times points of the piece for those that boxes do not
// discard. An end whose best start is forbidden, by a limit of length or by a match chosen before,
// and which is promising all the same, costs one more table, of the points from its first allowed
// start on: where a minimum length binds at most ends, that is up to the square of the points of a
// trip times those of the piece.
// Runs on all cores; answers do not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/heartbeat.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

namespace tsmini {

// Points `first` to `last` of a trip, both included.
struct PieceMatch {
  std::size_t trip = 0;  // in the set
  std::size_t first = 0;
  std::size_t last = 0;
  double distance = 0;
  double length = 0;  // along the path from first to last

  friend bool operator==(const PieceMatch&, const PieceMatch&) = default;
};

struct FindOptions {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  std::size_t k = 10;        // at most so many matches
  double within = infinite;  // none farther than this
  double min_length = 0;     // of a match
  double max_length = infinite;
  std::size_t per_trip = unlimited;  // at most so many matches of one trip
  // Whether a trip may be an answer; without it all may. Called by one thread at a time.
  std::function<bool(std::size_t trip)> allowed = {};
};

// What a search had to compute, in trips.
struct FindWork {
  std::uint64_t trips = 0;    // that were allowed
  std::uint64_t single = 0;   // tables in single precision
  std::uint64_t doubled = 0;  // tables in double precision, mostly of the same trips; of some twice

  FindWork& operator+=(const FindWork& other) {
    trips += other.trips;
    single += other.single;
    doubled += other.doubled;
    return *this;
  }
};

class PieceFinder {
 public:
  // Looks at every point once, on all cores. Shares the points of the set.
  explicit PieceFinder(const PlanarSet& trips);
  ~PieceFinder();
  PieceFinder(PieceFinder&&) noexcept;

  // The matches by rising distance. `work` is added to. Throws Error(usage) for a measure other
  // than dtw and frechet and for limits that no match can keep, Error(bad_input) for an empty
  // piece. Unless k is 0 the heartbeat advances by the trips of the set.
  std::vector<PieceMatch> find(Measure measure, std::span<const Planar> piece,
                               const FindOptions& options = {}, FindWork* work = nullptr,
                               const Heartbeat& heartbeat = {}) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace tsmini
