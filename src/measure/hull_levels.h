// Hulls of hulls, up to one node that holds all of a base: what lets a search visit only what is
// near the query.
//
// Level 0 are the blocks of 16 trajectories; level 1 their hulls, 16 to a node, which the tables
// keep (search_tables.h). Every level above has the hulls of the nodes below it, 16 to a node
// again, and the last level has one node. All above level 1 take a fifteenth of its memory.
//
//   HullLevels<ReachHulls> levels(first.values(), blocks, take_hull);
//   bound(levels.at(first, 3, 7));
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/array.h"
#include "measure/bound_lanes.h"

namespace tsmini {

// How many nodes there are of each level, from the blocks to the one that holds all.
inline std::vector<std::size_t> nodes_of_levels(std::size_t blocks) {
  std::vector<std::size_t> nodes{blocks};
  do {
    nodes.push_back((nodes.back() + bound_lanes - 1) / bound_lanes);
  } while (nodes.back() > 1);
  return nodes;
}

template <class Hulls>
class HullLevels {
 public:
  // `take(into, lane, node, lanes)` makes a lane the hull of the first `lanes` of a node. Reads all
  // of the first level.
  template <class Take>
  HullLevels(std::span<const Hulls> first, std::size_t blocks, const Take& take) {
    const std::vector<std::size_t> nodes = nodes_of_levels(blocks);
    std::span<const Hulls> below = first;
    for (std::size_t level = 2; level < nodes.size(); ++level) {
      std::vector<Hulls> hulls(nodes[level]);
      for (std::size_t node = 0; node < nodes[level - 1]; ++node) {
        const std::size_t lanes = std::min(bound_lanes, nodes[level - 2] - node * bound_lanes);
        take(hulls[node / bound_lanes], node % bound_lanes, below[node], lanes);
      }
      above_.push_back(std::move(hulls));
      below = above_.back();
    }
  }

  // The hulls of a node; levels count from 1, which is `first`.
  const Hulls& at(const Array<Hulls>& first, std::size_t level, std::size_t node) const {
    return level == 1 ? first[node] : above_[level - 2][node];
  }

 private:
  std::vector<std::vector<Hulls>> above_;
};

}  // namespace tsmini
