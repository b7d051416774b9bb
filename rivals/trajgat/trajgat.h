// TrajGAT (Yao et al., KDD 2022): a graph Transformer over the points of a trip and the cells of a
// quadtree that hold them, so that long trips have short ways between far points.
//
// The graph of a trip: its points, then the leaves of the quadtree that hold them, each once. Every
// point is joined with its leaf, all leaves with each other, every node with itself.
//
//   node: x, y, width, height  → Linear 4 → 128 ┐
//   8 Laplacian eigenvectors   → Linear 8 → 128 ┼ + → 3 × graph layer → mean over all nodes
//   vector of its leaf         → frozen         ┘
//   graph layer: attention of 8 heads along the edges → Linear → residual → BatchNorm
//                → Linear 128 → 256, ReLU, Linear 256 → 128 → residual → BatchNorm
//
// Attention is a softmax of exp(clamp(q · k / 4, ±5)): of exponentials, as published. x and y are
// z-scored. Width and height of a leaf are not (0 for a point); they are in kilometres, since in
// metres they would drown all the rest. Vectors of leaves are node2vec's over the tree, each
// dimension scaled to [0, .1], so that they do not drown the places; points have 0.
//
// It learns from the 10 nearest and the 10 farthest trips of an anchor: exp(-l2) of embeddings
// shall be exp(-16 · label). Its recipe has 2 anchors a step, hundred times over all trips: hours.
// Here a step has 16, which a GPU makes in hardly more time, and the learning rate falls, without
// which it forgets within the minute what it has learned in half of it. The sign of an eigenvector
// means nothing: while it learns, each is drawn anew for every batch.
#pragma once

#include "rivals/core/packing.h"
#include "rivals/core/rival.h"
#include "rivals/trajgat/quadtree.h"

namespace tsmini::rivals {

RivalKind trajgat_kind();

// Some trips' graphs. All nodes stand one below the other, so that layers and norms see no padding;
// attention alone takes them apart, in groups of trips of similar size.
struct GraphBatch {
  struct Part {
    std::int64_t from, nodes;  // of all
    Packing packing;
    Tensor barrier;  // [trips, 1, longest, longest]: 0 on an edge, -∞ elsewhere
    Tensor lengths;  // [trips, 1]

    Tensor apart(const Tensor& all) const { return packing.spread(all.narrow(0, from, nodes)); }
  };

  Tensor nodes;  // [nodes, columns], as prepare() makes them
  std::vector<Part> parts;
  Tensor back;  // puts trips into the order that was asked for
};
GraphBatch graph_batch(const Streams& trips, std::span<const std::int64_t> ids);

class GraphLayerImpl : public torch::nn::Module {
 public:
  GraphLayerImpl();
  Tensor forward(const Tensor& nodes, const GraphBatch& batch);

 private:
  Tensor attend(const Tensor& nodes, const GraphBatch& batch);

  torch::nn::Linear input_{nullptr};  // to queries, keys and values
  torch::nn::Linear output_{nullptr}, widen_{nullptr}, narrow_{nullptr};
  torch::nn::BatchNorm1d first_norm_{nullptr}, second_norm_{nullptr};
};
TORCH_MODULE(GraphLayer);

class TrajGat : public Rival {
 public:
  TrajGat(const Settings& settings, const Ground& ground);

  // One stream of nodes: x, y, width, height; 8 of the Laplacian; row of the vector; and g for the
  // trip's leaf number g = 1, 2, …, -g for a point in it.
  Streams prepare(const PlanarSet& trips) const override;
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l2}; }
  std::optional<Stage> training(const TrainingSet& set) override;

 private:
  Settings settings_;
  Statistics statistics_;
  Quadtree tree_;
  torch::nn::Linear features_{nullptr}, positions_{nullptr};
  std::vector<GraphLayer> layers_;
  Tensor vectors_;  // of points, then of the tree's nodes; frozen
};

// Whom every training trip is compared with, and how alike they are.
struct Companions {
  Tensor ids;      // [trips, near + far] on the CPU: itself, the nearest, …; …, the farthest
  Tensor truth;    // exp(-16 · label), on the device
  Tensor weights;  // [near + far]: 1, 10, 9, …, 2; 1, 2, …, 10, of sum 1
};
Companions companions_of(const Labels& labels);

}  // namespace tsmini::rivals
