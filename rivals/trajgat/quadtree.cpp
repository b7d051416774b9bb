#include "rivals/trajgat/quadtree.h"

#include <algorithm>
#include <span>

#include "tsmini/error.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t parts = 4;

// The points of a node that is still to be looked at.
struct Share {
  std::size_t node;
  int depth;
  std::span<Planar> points;
};

}  // namespace

Quadtree::Quadtree(const PlanarBox& box, const PlanarSet& trips) : nodes_{{box}} {
  std::vector<Planar> points;
  for (std::size_t i = 0; i < trips.size(); ++i)
    points.insert(points.end(), trips[i].begin(), trips[i].end());
  std::vector<Share> open{{0, 0, points}};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const Share share = open[next];
    if (share.points.size() <= capacity || share.depth == deepest) continue;
    const Planar centre = nodes_[share.node].centre();
    split(share.node);
    const auto first = static_cast<std::size_t>(nodes_[share.node].first_child);
    const auto south = [&](const Planar& point) { return point.y < centre.y; };
    const auto west = [&](const Planar& point) { return point.x < centre.x; };
    const auto cut = [](std::span<Planar> all, const auto& before) {
      const auto middle = std::partition(all.begin(), all.end(), before);
      return static_cast<std::size_t>(middle - all.begin());
    };
    const std::size_t rows = cut(share.points, south);
    for (const std::size_t row : {0U, 1U}) {
      const auto half = row == 0 ? share.points.first(rows) : share.points.subspan(rows);
      const std::size_t columns = cut(half, west);
      open.push_back({first + 2 * row, share.depth + 1, half.first(columns)});
      open.push_back({first + 2 * row + 1, share.depth + 1, half.subspan(columns)});
    }
  }
}

Quadtree::Quadtree(const PlanarBox& box, const Tensor& kept) : nodes_{{box}} {
  const Tensor children = kept.to(torch::kFloat).contiguous();
  const auto count = static_cast<std::size_t>(children.numel());
  const float* first = children.data_ptr<float>();
  for (std::size_t i = 0; i < std::min(count, nodes_.size()); ++i) {
    if (first[i] == static_cast<float>(nodes_.size()))
      split(i);
    else if (first[i] != 0)
      nodes_.clear();
  }
  if (nodes_.size() != count)
    throw Error(ErrorCode::bad_input, "the quadtree of this rival is not sound", "train it again");
}

void Quadtree::split(std::size_t node) {
  const auto [low, high] = nodes_[node].box;
  const Planar centre = nodes_[node].centre();
  nodes_[node].first_child = static_cast<std::int64_t>(nodes_.size());
  nodes_.push_back({{low, centre}});
  nodes_.push_back({{{centre.x, low.y}, {high.x, centre.y}}});
  nodes_.push_back({{{low.x, centre.y}, {centre.x, high.y}}});
  nodes_.push_back({{centre, high}});
}

std::int64_t Quadtree::leaf_at(const Planar& point) const {
  std::int64_t at = 0;
  while (!nodes_[static_cast<std::size_t>(at)].is_leaf()) {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    const Planar centre = node.centre();
    at = node.first_child + (point.y < centre.y ? 0 : 2) + (point.x < centre.x ? 0 : 1);
  }
  return at;
}

Graph Quadtree::graph() const {
  Graph graph(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_leaf()) continue;
    for (std::int64_t child = nodes_[i].first_child; child < nodes_[i].first_child + parts;
         ++child) {
      graph[i].push_back(child);
      graph[static_cast<std::size_t>(child)].push_back(static_cast<std::int64_t>(i));
    }
  }
  return graph;
}

Tensor Quadtree::kept() const {
  std::vector<float> first;
  for (const Node& node : nodes_) first.push_back(static_cast<float>(node.first_child));
  return torch::tensor(first);
}

}  // namespace tsmini::rivals
