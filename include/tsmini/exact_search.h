// The true nearest trajectories by an exact measure, without a model.
//
// Lower bounds discard most of the base before any distance is computed: for frechet, hausdorff,
// hausdorff-segment and frechet-continuous how far the two reach in 16 directions (and, for the two
// Fréchet distances, their end points); for dtw, erp, edr, lcss and sspd how far apart boxes around
// stretches of the two lie; for edwp the first points and the last. What survives is computed in
// single precision, best bound first, 16 at a time, and whatever could be among the answers once
// more in double. So the answer, indices and distances, equals that of computing every distance in
// double precision; ties go to the lower index. How much single precision may err is worked out
// from its arithmetic (measure/rounding.h); edwp, edr and lcss branch, and what survives of them,
// and of frechet-continuous, is computed in double at once. Nothing of the size of queries times
// base is kept.
//
//   ExactSearch search(Measure::frechet, base);
//   for (const Neighbour& n : search.nearest(query, 10)) use(n.index, n.distance);
//
// Whoever has a guess, such as the nearest by embedding, gives it along: the better it is, the less
// has to be computed. The answer is the same.
//
//   search.nearest(query, 10, {.candidates = guess});
//
// Building is linear in the points, but for a sort. A search goes down a tree of bounds, and costs
// what is near the query: the whole base only where the bounds tell nothing apart. Searching is
// const and may run on any number of threads.
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

struct Neighbour {
  std::size_t index = 0;  // in the base
  double distance = 0;

  friend bool operator==(const Neighbour&, const Neighbour&) = default;
  // The nearer first, ties to the lower index: the order of all answers.
  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
  }
};

// What a search had to compute.
struct SearchWork {
  std::uint64_t single = 0;   // distances in single precision
  std::uint64_t doubled = 0;  // distances in double precision, often of the same pairs once more
  std::uint64_t pairs = 0;    // of which a distance was computed, each counted once a search

  SearchWork& operator+=(const SearchWork& other) {
    single += other.single;
    doubled += other.doubled;
    pairs += other.pairs;
    return *this;
  }
};

// What a search may answer with, and what it should begin with.
struct SearchScope {
  // Whether a trajectory of the base may be an answer; without it all may.
  std::function<bool(std::size_t index)> allowed = {};
  // Likely answers, in any order: computed first, so that their distances discard the rest.
  std::span<const std::size_t> candidates = {};
};

class ExactSearch {
 public:
  ExactSearch(Measure measure, const PlanarSet& base, const MeasureSettings& settings = {});
  ~ExactSearch();
  ExactSearch(ExactSearch&&) noexcept;

  // Whether there are lower bounds: the base, and the gap point of erp, reach from 1e-15 to 1e15 of
  // its unit from its middle, the range in which bounds in single precision are reliable. Where
  // not, and for a query that reaches farther, a search computes every distance in double
  // precision.
  bool has_bounds() const;

  static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

  // The k nearest by rising distance (fewer where the base is smaller). `excluded` is left out: the
  // query itself, where it is one of the base. `work` is added to. Beats within distances too.
  std::vector<Neighbour> nearest(std::span<const Planar> query, std::size_t k,
                                 std::size_t excluded = nothing, SearchWork* work = nullptr,
                                 const Heartbeat& heartbeat = {}) const;

  std::vector<Neighbour> nearest(std::span<const Planar> query, std::size_t k,
                                 const SearchScope& scope, SearchWork* work = nullptr,
                                 const Heartbeat& heartbeat = {}) const;

  // All within `radius`, by rising distance.
  std::vector<Neighbour> within(std::span<const Planar> query, double radius,
                                std::size_t excluded = nothing, SearchWork* work = nullptr,
                                const Heartbeat& heartbeat = {}) const;

  // The k nearest of those within `radius`, by rising distance; a k of 0 is all of them.
  std::vector<Neighbour> nearest_within(std::span<const Planar> query, double radius, std::size_t k,
                                        const SearchScope& scope, SearchWork* work = nullptr,
                                        const Heartbeat& heartbeat = {}) const;

  // Any k of those within `radius`, or all where there are fewer: for knowing whether there are so
  // many.
  std::vector<Neighbour> some_within(std::span<const Planar> query, double radius, std::size_t k,
                                     const SearchScope& scope, SearchWork* work = nullptr,
                                     const Heartbeat& heartbeat = {}) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace tsmini
