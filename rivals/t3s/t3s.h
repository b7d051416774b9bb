// T3S (Yang et al., ICDE 2021): an LSTM over points beside self-attention over cells, and a scalar
// that weighs the two.
//
// Its authors have released no code; this follows the public benchmark of the field.
//
//   points, z-scored        → LSTM 2 → 128, last state                       ┐
//   cells, a frozen vector  → + positions → 2 × attention of 16 heads → mean ┴ γ · a + (1 - γ) · b
//
// It learns from all pairs of a batch: the l1 distance of embeddings, divided by a fixed unit,
// shall be the true one, divided by the largest.
#pragma once

#include "rivals/core/attention.h"
#include "rivals/core/rival.h"

namespace tsmini::rivals {

RivalKind t3s_kind();

class T3s : public Rival {
 public:
  T3s(const Settings& settings, const Ground& ground);

  Streams prepare(const PlanarSet& trips) const override;
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l1}; }
  std::optional<Stage> training(const TrainingSet& set) override;

 private:
  Settings settings_;
  Ground ground_;
  torch::nn::LSTM lstm_{nullptr};
  Attention first_{nullptr}, second_{nullptr};
  Tensor balance_;  // γ before the sigmoid
  Tensor vectors_;  // of the known cells, frozen
};

}  // namespace tsmini::rivals
