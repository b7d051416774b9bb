// How an embedding lies in memory so that a distance looks across lanes only at its very end.
//
// Dimensions are dealt out to lanes so that those of one group lie above each other: the largest
// difference of a group is then a maximum of vectors, not one within a vector. A row is `blocks`
// times `steps` vectors of `lanes` values. Within a block lane i always holds values of the group
// i % groups; different blocks hold different groups. What is left over is zero in every row and
// every query and adds nothing.
//
//   metric, 16 lanes        groups  blocks  steps
//   l1, l2 of 128             16       8      1
//   linf of 128                1       1      8
//   chebyshev 16 of 128        8       1      8
//   chebyshev 4 of 128        16       2      4
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/embedding.h"

namespace tsmini {

class LaneLayout {
 public:
  // `lanes` is a power of two.
  LaneLayout(const EmbeddingMetric& metric, std::size_t dimension, std::size_t lanes);

  const EmbeddingMetric& metric() const { return metric_; }
  std::size_t dimension() const { return places_.size(); }
  std::size_t groups() const { return groups_; }  // a power of two, at most the lanes
  std::size_t blocks() const { return blocks_; }
  std::size_t steps() const { return steps_; }
  std::size_t width() const { return blocks_ * steps_ * lanes_; }  // values a row takes

  // Where a dimension's value lies in a row.
  std::size_t place(std::size_t dimension) const { return places_[dimension]; }

 private:
  EmbeddingMetric metric_;
  std::size_t lanes_, groups_ = 1, blocks_ = 1, steps_ = 1;
  std::vector<std::uint32_t> places_;
};

}  // namespace tsmini
