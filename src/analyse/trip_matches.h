// The matches of a piece in one trip, best first, no two of which share a point.
//
// For every end there is the least distance over all starts, from one table. It is a lower bound of
// what the end still has to offer, and more than that where the start that gives it may be used: it
// is of an allowed length and behind the match chosen last before this end. Ends wait in a heap by
// their bounds. Where the first one's start may be used, no other end offers less, and it is the
// next match; where not, a table of the starts that may be used gives its true distance, with which
// it goes back. So the choice is that of comparing all stretches, and few ends need a table of
// their own: those that overlap a match, or that limits forbid, and are promising all the same.
//
// Which start? The table keeps one of those that give the distance; the fewest points may be those
// of a later one, which had been worse on the way and was made equal by rounding (dtw) or by a
// farther pair of points (frechet). A table from the end backwards gives the distance of every
// start, up to rounding, and what is as near as that is computed once more from the front.
//
//   TripMatches matches({Measure::dtw, piece, options}, trips, 17, radius, pulse);
//   while (const auto match = matches.next()) use(*match);
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/find.h"

#include "base/pulse.h"

namespace tsmini {

// Whether a match is better than another: see tsmini/find.h.
bool better(const PieceMatch& a, const PieceMatch& b);

class TripMatches {
 public:
  struct Request {
    Measure measure;
    std::span<const Planar> piece;
    const FindOptions& options;  // the limits of length
  };

  // The matches of one trip within the radius. Request, trips and pulse must outlive this.
  TripMatches(const Request& request, const PlanarSet& trips, std::size_t trip, double radius,
              Pulse& pulse);

  std::optional<PieceMatch> next();

 private:
  // An end and a lower bound of its distance, which is that of the match from `first`.
  struct End {
    double distance;
    std::size_t last;
    std::size_t first;

    friend bool operator<(const End& a, const End& b) {  // for a heap with the nearest on top
      return a.distance > b.distance || (a.distance == b.distance && a.last > b.last);
    }
  };
  // Points that a match may begin with, both included.
  struct Starts {
    std::size_t earliest, latest;
  };

  void measure_path();
  void bound_ends();
  std::optional<Starts> starts_for(std::size_t last) const;
  End best_of(const Starts& starts, std::size_t last);
  void push(const End& end);
  End pop();
  std::size_t latest_start(const End& end, std::size_t latest);
  bool is_start(std::size_t first, const End& end) const;

  Request request_;
  std::size_t trip_;
  std::span<const Planar> points_;
  double radius_;
  Pulse& pulse_;
  std::vector<double> path_;                   // length from the first point
  std::vector<End> ends_;                      // heap
  std::map<std::size_t, std::size_t> chosen_;  // first and last points
};

}  // namespace tsmini
