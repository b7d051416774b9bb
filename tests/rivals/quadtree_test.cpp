#include "rivals/trajgat/quadtree.h"

#include <map>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

TEST(Quadtree, HoldsFewPointsALeaf) {
  const PlanarSet trips = small_trips(64);
  const Quadtree tree(box_of(trips), trips);
  std::map<std::int64_t, std::size_t> counts;
  std::size_t points = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) {
      const std::int64_t leaf = tree.leaf_at(point);
      const Quadtree::Node& node = tree.nodes()[static_cast<std::size_t>(leaf)];
      EXPECT_TRUE(node.is_leaf() && node.box.contains(point));
      ++counts[leaf];
      ++points;
    }
  }
  EXPECT_GT(counts.size(), points / Quadtree::capacity);
  for (const auto& [leaf, count] : counts) EXPECT_LE(count, Quadtree::capacity);
  // Nothing is cut that did not have to be.
  for (const Quadtree::Node& node : tree.nodes()) {
    if (node.is_leaf()) continue;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < trips.size(); ++i)
      for (const Planar& point : trips[i]) inside += node.box.contains(point) ? 1U : 0U;
    EXPECT_GT(inside, Quadtree::capacity);
  }
}

TEST(Quadtree, EndsWherePointsAreTheSame) {
  const PlanarSet trips(std::vector<Planar>(60, {5e6, 5e6}), {0, 60});
  const Quadtree tree({{4e6, 4e6}, {6.1e6, 6.1e6}}, trips);
  EXPECT_EQ(tree.nodes().size(), 1U + 4U * Quadtree::deepest);
  EXPECT_TRUE(tree.nodes()[static_cast<std::size_t>(tree.leaf_at({5e6, 5e6}))].is_leaf());
}

TEST(Quadtree, PointsOutsideCountAsOnTheBorder) {
  const PlanarSet trips = small_trips(64);
  const PlanarBox box = box_of(trips);
  const Quadtree tree(box, trips);
  EXPECT_EQ(tree.leaf_at({box.low.x - 1e6, box.low.y - 1e6}), tree.leaf_at(box.low));
  EXPECT_EQ(tree.leaf_at({box.high.x + 1e6, box.high.y + 1e6}), tree.leaf_at(box.high));
}

TEST(Quadtree, IsTheSameFromAFile) {
  const PlanarSet trips = small_trips(64);
  const Quadtree tree(box_of(trips), trips), again(box_of(trips), tree.kept());
  ASSERT_EQ(again.nodes().size(), tree.nodes().size());
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) {
      const auto leaf = static_cast<std::size_t>(tree.leaf_at(point));
      EXPECT_EQ(again.leaf_at(point), tree.leaf_at(point));
      EXPECT_EQ(again.nodes()[leaf].box.low.x, tree.nodes()[leaf].box.low.x);
      EXPECT_EQ(again.nodes()[leaf].box.high.y, tree.nodes()[leaf].box.high.y);
    }
  }
  EXPECT_THROW(Quadtree(box_of(trips), torch::tensor({1.F, 0.F, 0.F})), Error);
  EXPECT_THROW(Quadtree(box_of(trips), torch::tensor({1.F, 7.F, 0.F, 0.F, 0.F})), Error);
  EXPECT_THROW(Quadtree(box_of(trips), torch::zeros({0})), Error);
}

TEST(Quadtree, GraphIsATree) {
  const PlanarSet trips = small_trips(64);
  const Graph graph = Quadtree(box_of(trips), trips).graph();
  std::size_t ends = 0;
  for (const auto& neighbours : graph) {
    ends += neighbours.size();
    EXPECT_TRUE(neighbours.size() == 1 || neighbours.size() == 4 || neighbours.size() == 5);
  }
  EXPECT_EQ(ends, 2 * (graph.size() - 1));
}

}  // namespace
}  // namespace tsmini::rivals
