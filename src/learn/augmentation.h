// What is learned from: the training trips and, where they are few, trips composed of them.
//
// A road network is known by the trips on it. Where two of them pass the same place in the same
// direction, the beginning of one and the end of the other make a third that is as real as they
// are; a stretch of a trip is a trip, and so is a trip driven backwards. Some are rough, as a worse
// receiver would report them: points are missing, in the wrong place, or both. Their true distances
// cost as little as any.
//
//   Augmented augmented = augment(data, parts.train, {.total = 64000, .rough = 0.2}, seed);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

namespace tsmini::learn {

struct Augmented {
  Dataset data;
  std::vector<std::size_t> indices;
};

struct AugmentationPlan {
  std::size_t total = 0;  // real and composed trips
  double rough = 0;       // share of the composed ones
  // Composed trips and what they are made of are in memory: once they have so many points, no more
  // are made. So many take half a gigabyte, and up to four times that while they are made.
  std::uint64_t most_points = 30'000'000;
};

// The trajectories `indices` and, where they are fewer than `total`, composed ones behind them, up
// to that number or to the most points. None has more points than the longest real one or leaves
// the box of the real ones; only rough ones may have fewer points than the shortest real one, and
// of these none has fewer than two. Linear, but for a sort of the points. Progress counts trips.
Augmented augment(const Dataset& data, std::vector<std::size_t> indices,
                  const AugmentationPlan& plan, std::uint64_t seed, const Progress& progress = {});

}  // namespace tsmini::learn
