// KGTS (Chen et al., AAAI 2024): cells know their neighbours, trips are sequences of cells, and
// nobody tells which trips are alike.
//
// Its authors have released no code; this follows the published description, with sizes of our own
// where it is silent. Cells have vectors from a graph of knowledge (grot.h), frozen. A trip is its
// cells, runs of points in one cell being one:
//
//   vector of the cell             ┐
//   its centre → Linear 2 → 128    ┼ + → graph convolution → GRU, last state ┐
//   one vector for all: the prompt ┘                      └→ mean            ┴ + → embedding
//
// The convolution is along the chain of cells, with self loops and symmetric normalisation: x +
// ReLU(W Â x + b). The residual around the GRU is the mean of what it is given: the last state
// speaks of the whole trip too. Centres are z-scored as points are.
//
// It learns without true distances: a trip and a perturbed copy of it (views.h) shall be nearer to
// each other than any two trips of the batch, by the l2 distance that ranks trips afterwards:
// InfoNCE, either way.
#pragma once

#include "rivals/core/rival.h"

namespace tsmini::rivals {

RivalKind kgts_kind();

class Kgts : public Rival {
 public:
  Kgts(const Settings& settings, const Ground& ground);

  // One stream of cells: row of the vector; centre; what normalises the convolution.
  Streams prepare(const PlanarSet& trips) const override;
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l2}; }
  std::optional<Stage> pretraining(const PlanarSet& trips) override;

 private:
  void add(RaggedBuilder& cells, std::span<const Planar> trip) const;
  Tensor convolved(const Tensor& x, const Tensor& scale);

  Settings settings_;
  Ground ground_;
  torch::nn::Linear prompt_{nullptr}, convolution_{nullptr};
  Tensor common_;  // the part of the prompt that is the same everywhere
  torch::nn::GRU gru_{nullptr};
  Tensor vectors_;  // of the known cells, frozen
};

// The contrastive loss, both ways: the partner of row i of a is row i of b; all other rows are
// strangers. Logits are -distance / temperature.
Tensor pair_contrast(const Tensor& a, const Tensor& b, double temperature);

}  // namespace tsmini::rivals
