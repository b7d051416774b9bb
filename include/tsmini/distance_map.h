// What a distance of embeddings tells of the true one, among the trips of one place.
//
// A model's own calibration (tsmini/calibration.h) is fitted to pairs of all distances. Those that
// a search shows are the nearest of very many, where embeddings are relatively less exact: they
// were chosen for being small, and are too small on the average. So the map is fitted to such
// pairs.
//
//   const DistanceMap map = DistanceMap::fit(pairs);
//   const double metres = map(distance_of_embeddings);
//
// Straight lines between a few knots, through 0 and on beyond the last in the same proportion. It
// rises strictly: what was nearer stays nearer.
#pragma once

#include <vector>

namespace tsmini {

// The distance of two trips, by their embeddings and by the measure.
struct DistancePair {
  double embedded = 0;
  double exact = 0;

  friend bool operator==(const DistancePair&, const DistancePair&) = default;
};

class DistanceMap {
 public:
  DistanceMap() = default;  // empty
  // A map through these knots. Throws Error(bad_input) where they are not finite, or do not rise
  // from above 0 on in both.
  explicit DistanceMap(std::vector<DistancePair> knots);

  // Sorts the pairs by their distance of embeddings into at most 24 bins of equally many, of at
  // least 50 where there are so many. Each bin gives a knot, by the median of exact / embedded.
  // Neighbouring bins that do not rise become one. Pairs that are 0 or not finite do not count;
  // without others the map is empty. n log n.
  static DistanceMap fit(std::vector<DistancePair> pairs);

  bool empty() const { return knots_.empty(); }
  const std::vector<DistancePair>& knots() const { return knots_; }
  // The map must not be empty.
  double operator()(double embedded) const;

  friend bool operator==(const DistanceMap&, const DistanceMap&) = default;

 private:
  std::vector<DistancePair> knots_;
};

}  // namespace tsmini
