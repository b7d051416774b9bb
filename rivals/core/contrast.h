// MoCo: an encoder learns without labels that two views of a trip are the same, and those of other
// trips are not.
//
// The second view goes through a copy of the encoder that follows it slowly, without gradient. What
// the copy made of the last few thousand trips stays in a queue: those are the negatives. Both have
// a projector behind them that serves this learning alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rivals/core/ragged.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// Sequences to vectors.
class Encoder : public torch::nn::Module {
 public:
  virtual Tensor encode(const Padded& batch) = 0;  // [count, dimension]
};

// -log(exp(q·k / T) / (exp(q·k / T) + Σ exp(q·n / T))), its mean over rows of unit vectors: each
// query with its key, among the rows of `others`.
Tensor info_nce(const Tensor& queries, const Tensor& keys, const Tensor& others,
                double temperature);

class Moco {
 public:
  // `copy` is another encoder of the same make, to be overwritten. The queue holds random vectors
  // at first.
  Moco(std::shared_ptr<Encoder> encoder, std::shared_ptr<Encoder> copy, std::int64_t queue);

  std::vector<Tensor> parameters() const;  // encoder and projector
  Tensor loss(const Padded& first_views, const Padded& second_views);
  // To be called after a step: the copy follows, and the keys of the last loss enter the queue.
  void stepped();

  const Tensor& queue() const { return queue_; }  // [size, dimension / 2], unit vectors

 private:
  std::shared_ptr<Encoder> encoder_, copy_;
  torch::nn::Sequential projector_, projector_copy_;
  std::vector<Tensor> copies_;  // of parameters(), in that order
  Tensor queue_, keys_;
  std::int64_t next_ = 0;  // place in the queue
};

}  // namespace tsmini::rivals
