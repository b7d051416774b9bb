#include "analyse/condensed_tree.h"

#include <algorithm>
#include <cassert>

#include "analyse/disjoint_sets.h"
#include "analyse/numbering.h"

namespace tsmini {
namespace {

// Every trip, then every set of trips that is joined at one distance: what it is made of.
class JoinTree {
 public:
  JoinTree(const std::vector<Join>& rising, std::size_t trips)
      : sizes_(trips, 1), distances_(trips, 0), children_(trips) {
    DisjointSets sets(trips);
    std::vector<std::uint32_t> nodes(trips);  // of the set that a trip stands for
    for (std::size_t i = 0; i < trips; ++i) nodes[i] = static_cast<std::uint32_t>(i);
    for (std::size_t first = 0, end = 0; first < rising.size(); first = end) {
      std::vector<std::uint32_t> parts;  // by the trips that stand for them
      for (; end < rising.size() && rising[end].distance == rising[first].distance; ++end) {
        parts.push_back(sets.find(rising[end].a));
        parts.push_back(sets.find(rising[end].b));
      }
      std::sort(parts.begin(), parts.end());
      parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
      for (std::size_t i = first; i < end; ++i) sets.unite(rising[i].a, rising[i].b);
      add_nodes(parts, sets, nodes, rising[first].distance);
    }
  }

  std::uint32_t root() const { return static_cast<std::uint32_t>(sizes_.size() - 1); }
  std::size_t size(std::uint32_t node) const { return sizes_[node]; }
  double distance(std::uint32_t node) const { return distances_[node]; }
  const std::vector<std::uint32_t>& children(std::uint32_t node) const { return children_[node]; }

 private:
  // Makes one node of the parts that are one set now, which the smallest stands for.
  void add_nodes(const std::vector<std::uint32_t>& parts, const DisjointSets& sets,
                 std::vector<std::uint32_t>& nodes, double distance) {
    for (const std::uint32_t part : parts) {
      const std::uint32_t child = nodes[part], whole = sets.find(part);
      if (part == whole) {
        nodes[whole] = static_cast<std::uint32_t>(sizes_.size());
        sizes_.push_back(0);
        distances_.push_back(distance);
        children_.emplace_back();
      }
      children_[nodes[whole]].push_back(child);
      sizes_[nodes[whole]] += sizes_[child];
    }
  }

  std::vector<std::size_t> sizes_;
  std::vector<double> distances_;
  std::vector<std::vector<std::uint32_t>> children_;
};

struct Cluster {
  std::uint32_t parent = no_cluster;
  double birth = 0;  // density
  double stability = 0;
  std::uint32_t first_node = 0;
};

class CondensedTree {
 public:
  CondensedTree(const JoinTree& tree, double half_smallest, std::size_t trips,
                std::size_t min_cluster_size)
      : tree_(tree),
        half_smallest_(half_smallest),
        min_cluster_size_(min_cluster_size),
        left_(trips, no_cluster) {
    clusters_.push_back({.first_node = tree.root()});
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) follow(c);
  }

  // Every cluster comes after its parent.
  const std::vector<Cluster>& clusters() const { return clusters_; }
  // Which cluster a trip left last.
  const std::vector<std::uint32_t>& left() const { return left_; }

 private:
  double density(double distance) const { return 1 / (distance > 0 ? distance : half_smallest_); }

  // Follows a cluster from where it begins to where it falls apart or ends.
  void follow(std::uint32_t cluster) {
    std::uint32_t node = clusters_[cluster].first_node;
    for (;;) {
      const double now = density(tree_.distance(node));
      std::vector<std::uint32_t> large;
      std::size_t gone = tree_.size(node);
      for (const std::uint32_t child : tree_.children(node)) {
        if (tree_.size(child) >= min_cluster_size_)
          large.push_back(child);
        else
          leave(child, cluster);
      }
      if (tree_.children(node).empty()) leave(node, cluster);
      if (large.size() == 1) gone -= tree_.size(large.front());
      clusters_[cluster].stability += static_cast<double>(gone) * (now - clusters_[cluster].birth);
      if (large.size() != 1) {
        for (const std::uint32_t child : large) {
          clusters_.push_back({.parent = cluster, .birth = now, .first_node = child});
        }
        return;
      }
      node = large.front();
    }
  }

  void leave(std::uint32_t node, std::uint32_t cluster) {
    std::vector<std::uint32_t> nodes{node};
    while (!nodes.empty()) {
      const std::uint32_t next = nodes.back();
      nodes.pop_back();
      if (next < left_.size()) left_[next] = cluster;
      const auto& children = tree_.children(next);
      nodes.insert(nodes.end(), children.begin(), children.end());
    }
  }

  const JoinTree& tree_;
  double half_smallest_;
  std::size_t min_cluster_size_;
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> left_;
};

// The cluster that is chosen of each and those it is within; the root is none.
std::vector<std::uint32_t> leaves_of(const std::vector<Cluster>& clusters) {
  std::vector<std::uint32_t> chosen(clusters.size(), no_cluster);
  for (std::uint32_t c = 1; c < clusters.size(); ++c) {
    chosen[c] = c;
    chosen[clusters[c].parent] = no_cluster;
  }
  return chosen;
}

std::vector<std::uint32_t> stablest_of(const std::vector<Cluster>& clusters) {
  std::vector<double> within(clusters.size());  // the stability of what is chosen within
  std::vector<bool> better(clusters.size());    // than that
  for (std::size_t c = clusters.size(); c-- > 1;) {
    better[c] = clusters[c].stability >= within[c];
    within[clusters[c].parent] += std::max(clusters[c].stability, within[c]);
  }
  std::vector<std::uint32_t> chosen(clusters.size(), no_cluster);
  for (std::uint32_t c = 1; c < clusters.size(); ++c) {
    chosen[c] = chosen[clusters[c].parent];
    if (chosen[c] == no_cluster && better[c]) chosen[c] = c;
  }
  return chosen;
}

double half_smallest(const std::vector<Join>& rising) {
  for (const Join& join : rising) {
    if (join.distance > 0) return join.distance / 2;
  }
  return 1;
}

}  // namespace

ChosenClusters choose_clusters(std::vector<Join> joins, std::size_t trips,
                               std::size_t min_cluster_size, ClusterSelection selection) {
  assert(joins.size() + 1 == trips);
  std::sort(joins.begin(), joins.end(),
            [](const Join& a, const Join& b) { return a.distance < b.distance; });
  const JoinTree tree(joins, trips);
  const CondensedTree condensed(tree, half_smallest(joins), trips, min_cluster_size);
  const std::vector<std::uint32_t> chosen = selection == ClusterSelection::leaves
                                                ? leaves_of(condensed.clusters())
                                                : stablest_of(condensed.clusters());
  ChosenClusters result;
  for (const std::uint32_t left : condensed.left()) result.clusters.push_back(chosen[left]);
  for (const Cluster& cluster : condensed.clusters()) result.stability.push_back(cluster.stability);
  return result;
}

}  // namespace tsmini
