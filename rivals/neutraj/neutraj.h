// NeuTraj (Yao et al., ICDE 2019): an LSTM that remembers what it has seen in every cell of the
// map.
//
//   points, z-scored, one a run of points in a cell
//     gates i, f, o, s, g of point and h
//     ĉ = f c + i g                              as any LSTM
//     K = memory of the 25 cells around          never-written ones left out
//     r = tanh(W [softmax(K ĉ) K; ĉ] + b)        what trips have met here
//     c = ĉ + s r,  h = o tanh(c)                the last h is the embedding
//     memory[cell] = s memory[cell] + (1 - s) c  while it trains, after each step of all trips
//
// It learns from anchors with 10 near and 10 far trips each: exp(-distance of embeddings) shall be
// exp(-alpha · true distance). Gradients go neither into the memory nor through what is read there.
//
// The memory is part of the model. It holds known cells alone: any other is never written, so that
// it is as if it were not there.
#pragma once

#include "rivals/core/rival.h"

namespace tsmini::rivals {

RivalKind neutraj_kind();

class NeuTraj : public Rival {
 public:
  NeuTraj(const Settings& settings, const Ground& ground);

  Streams prepare(const PlanarSet& trips) const override;
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l2}; }
  std::optional<Stage> training(const TrainingSet& set) override;
  bool is_of_ground(std::string_view buffer) const override { return buffer == "memory"; }

 private:
  struct Steps;

  Steps steps_of(const Ragged& trips, std::span<const std::int64_t> ids) const;
  Tensor loss(const TrainingSet& set, const Tensor& anchors, double alpha);

  Settings settings_;
  Ground ground_;
  bool mixes_neighbours_, writes_padding_;
  torch::nn::Linear from_point_{nullptr}, from_state_{nullptr};  // to gates i, f, o, s, g
  torch::nn::Linear read_{nullptr};
  Tensor memory_;      // [known cells + 2, 128]: the cell of padding, then one never written
  Tensor neighbours_;  // [known cells + 1, 25]: rows of the memory around each cell
};

}  // namespace tsmini::rivals
