// TMN (Yang et al., ICDE 2022): two trips are matched point by point before either is embedded.
//
// It knows pairs alone: the embedding of a trip differs with its partner, so that nothing can be
// indexed, and all distances to n trips cost n passes.
//
//   points, z-scored → LeakyReLU(Linear 2 → 64) = x, of either side
//     [x; x - softmax(x x'ᵀ) x']         what its match in the other trip leaves of each point
//     → LSTM 128 → 128 = o               shared by both sides
//     u = σ(W₁ o) LeakyReLU(W₂ o)
//     y = o + σ(W₃ o) LeakyReLU(u)       at the last point: the embedding within this pair
//
// It learns from anchors with 20 trips drawn by nearness each, of which the nearer half counts as
// near and the other as far: exp(-distance) shall be exp(-alpha · true distance), of the whole
// trips and of their first 10, 20, … points.
#pragma once

#include <utility>

#include "rivals/core/pair_losses.h"
#include "rivals/core/rival.h"

namespace tsmini::rivals {

RivalKind tmn_kind();

class Tmn : public Rival {
 public:
  Tmn(const Settings& settings, const Ground& ground);

  Streams prepare(const PlanarSet& trips) const override;
  // Throws Error(usage).
  Tensor embed(const Streams& trips, std::span<const std::int64_t> ids) override;
  EmbeddingMetric metric() const override { return {MetricKind::l2}; }

  // Pairs of similar lengths together; each once where both are queries. Progress counts pairs.
  Tensor distances(const Streams& trips, std::span<const std::int64_t> queries,
                   const Progress& progress) override;
  // The distances of trips a[i] and b[i], on the device.
  Tensor pair_distances(const Streams& trips, std::span<const std::int64_t> a,
                        std::span<const std::int64_t> b);

  std::optional<Stage> training(const TrainingSet& set) override;

 private:
  // Outputs of the LSTM at all points of both sides.
  std::pair<Tensor, Tensor> outputs(const Padded& a, const Padded& b);
  Tensor gated(const Tensor& o);  // y
  // Distances of pairs that are padded alike: of whole trips, then of their beginnings of such
  // lengths, [pairs, 1 + lengths].
  Tensor apart_at(const Padded& left, const Padded& right, std::span<const std::size_t> prefixes);
  Tensor loss(const TrainingSet& set, const Tensor& anchors, double alpha);

  Settings settings_;
  Ground ground_;
  bool one_sided_, rising_exponent_;
  torch::nn::Linear point_{nullptr};
  torch::nn::LSTM lstm_{nullptr};
  torch::nn::Linear gates_{nullptr};  // W₁, W₂, W₃ one below the other
};

}  // namespace tsmini::rivals
