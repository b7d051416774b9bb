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
// Here a step has 16 (fewer where trips are long), which a GPU makes in hardly more time, and the
// learning rate falls, without which it forgets within the minute what it has learned in half of
// it. The sign of an eigenvector means nothing: while it learns, each is drawn anew for every
// batch.
#pragma once

#include "rivals/core/packing.h"
#include "rivals/core/rival.h"
#include "rivals/trajgat/quadtree.h"

namespace tsmini::rivals {

RivalKind trajgat_kind();

// Some trips' graphs: nodes are the points of all of them, one below the other, then their leaves.
// Nothing is padded but the attention of leaves to each other, and that in groups of trips that
// have about as many: what a trip takes grows with its points, and with the square of its leaves
// alone.
struct GraphBatch {
  struct Leaves {
    std::int64_t from, count;  // of all leaves
    Packing packing;           // by trip
    Tensor barrier;            // [trips, 1, 1, most]: 0 for a leaf, -∞ behind the end
  };

  std::int64_t points = 0;
  Tensor nodes;  // [points + leaves, columns], as prepare() makes them
  Tensor homes;  // [points]: which of all leaves holds it
  std::vector<Leaves> leaves;
  Tensor trips;  // [points + leaves]: which of the trips it belongs to
  Tensor sizes;  // [trips, 1]: nodes of each
  Tensor back;   // puts trips into the order that was asked for
};
GraphBatch graph_batch(const Streams& trips, std::span<const std::int64_t> ids);

class GraphLayerImpl : public torch::nn::Module {
 public:
  GraphLayerImpl();
  Tensor forward(const Tensor& nodes, const GraphBatch& batch);

 private:
  // What nodes see along their edges: a point itself and its leaf, a leaf all leaves and its
  // points.
  Tensor attend(const Tensor& nodes, const GraphBatch& batch);

  torch::nn::Linear input_{nullptr};  // to queries, keys and values
  torch::nn::Linear output_{nullptr}, widen_{nullptr}, narrow_{nullptr};
  torch::nn::BatchNorm1d first_norm_{nullptr}, second_norm_{nullptr};
};
TORCH_MODULE(GraphLayer);

class TrajGat : public Rival {
 public:
  TrajGat(const Settings& settings, const Ground& ground);

  // Points, then leaves: x, y, width, height; 8 of the Laplacian; row of the vector; for a point
  // which of the trip's leaves holds it.
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
