// A quadtree: a box cut into four, and the parts again, until none holds more than a few points.
// Its leaves are small where many trips pass, and large where few do.
//
//   Quadtree tree(ground.cells.box(), city.all);
//   const Quadtree::Node& leaf = tree.nodes()[tree.leaf_at(point)];
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/planar_set.h"

#include "rivals/core/ground.h"
#include "rivals/core/node2vec.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

class Quadtree {
 public:
  static constexpr std::size_t capacity = 50;  // points of a leaf
  static constexpr int deepest = 50;           // cuts above a leaf; it may then hold more

  struct Node {
    PlanarBox box;
    std::int64_t first_child = 0;  // of four in a row: SW, SE, NW, NE; 0 for a leaf

    bool is_leaf() const { return first_child == 0; }
    Planar centre() const { return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}; }
  };

  // A tree over all points of the trips.
  Quadtree(const PlanarBox& box, const PlanarSet& trips);
  // The tree that kept() gave, in the same box. Throws Error(bad_input) where it is no tree.
  Quadtree(const PlanarBox& box, const Tensor& kept);

  // The root first, parents before their children.
  const std::vector<Node>& nodes() const { return nodes_; }
  // Points outside the box count as on its border. As many steps as the tree is deep.
  std::int64_t leaf_at(const Planar& point) const;
  // The graph in which every node is joined with its children, both ways.
  Graph graph() const;
  // [nodes]: where the children of each begin. The boxes follow from the root's.
  Tensor kept() const;

 private:
  void split(std::size_t node);

  std::vector<Node> nodes_;
};

}  // namespace tsmini::rivals
