// Boxes around stretches of a trajectory: two bounds for dtw.
//
// Every trajectory is cut into 8 stretches of consecutive points, each in a box.
//
// 1. dtw pairs every inner point of P with some point of Q, at least as far away as the point's box
//    is from the nearest of Q's boxes; and the first points with each other, and the last. The sum
//    is a bound, as is that with P and Q exchanged; the larger counts. The same holds for a block
//    of trajectories, whose boxes are taken together.
// 2. The alignment visits Q's stretches in order, so dtw is no less than the best alignment of P's
//    points with the sequence of Q's boxes, where a cell costs the distance from point to box: the
//    table of dtw, with 8 columns.
//
// Boxes are those of a grid (grid.h), rounded outward.
#pragma once

#include "measure/bounds.h"
#include "measure/box_kernels.h"
#include "measure/grid.h"

namespace tsmini {

// Makes blocks, and hulls of the first `lanes` of a block or of other hulls.
class BoxFiller {
 public:
  explicit BoxFiller(const Grid& grid) : grid_(grid) {}
  void fill(BoxBlock& block, std::size_t lane, std::span<const Planar> points) const;
  static void fill_hull(BoxBlock& hulls, std::size_t lane, const BoxBlock& block,
                        std::size_t lanes);

 private:
  Grid grid_;
};

class BoxBounds final : public LowerBounds {
 public:
  explicit BoxBounds(const SearchTables& tables);
  std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                         IndexFilter allowed) const override;

 private:
  class Query;

  Grid grid_;
};

}  // namespace tsmini
