// How attention over movement guides attention over cells: 10 · σ(γ) times its weights are added to
// the logits, γ learned.
#pragma once

#include <cstdint>

#include "rivals/core/rival.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

inline constexpr Mistake mixed_attention{"mixed-attention",
                                         "attention is biased by the movement of other trips"};

class MovementBiasImpl : public torch::nn::Module {
 public:
  // A bias for so many heads. `mixed`: as released, the weights of all trips are repeated head by
  // head where those of a trip's heads are expected to follow each other, so that most are biased
  // by another trip of the batch.
  MovementBiasImpl(std::int64_t heads, bool mixed);

  // The bias for Attention from weights [batch, 1, length, length].
  Tensor forward(const Tensor& weights);

 private:
  std::int64_t heads_;
  bool mixed_;
  Tensor gamma_;
};
TORCH_MODULE(MovementBias);

}  // namespace tsmini::rivals
