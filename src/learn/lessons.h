// What is learned from: the training trips and, where they are few, trips composed of them. Needs
// no LibTorch.
//
// A road network is known by the trips on it. Where two of them pass the same place in the same
// direction, the beginning of one and the end of the other make a third that is as real as they
// are; a stretch of a trip is a trip, and so is a trip driven backwards. Their true distances cost
// as little as any.
//
//   Lessons lessons = lessons_of(data, parts.train, 64000, seed);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini::learn {

struct Lessons {
  Dataset data;
  std::vector<std::size_t> indices;
};

// The trajectories `indices` and, where they are fewer than `total`, composed ones behind them, up
// to that number; of each no fewer points than the shortest of the real ones has, and no more than
// the longest. Linear, but for a sort of the points.
Lessons lessons_of(const Dataset& data, std::vector<std::size_t> indices, std::size_t total,
                   std::uint64_t seed);

}  // namespace tsmini::learn
