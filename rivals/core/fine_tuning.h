// How an encoder that has learned without labels learns a measure: a small head makes unit vectors
// of what it gives, whose l1 distances shall be the true ones, for all pairs of a batch.
#pragma once

#include <cstdint>

#include "rivals/core/rival.h"

namespace tsmini::rivals {

class RegressionHeadImpl : public torch::nn::Module {
 public:
  RegressionHeadImpl();
  Tensor forward(const Tensor& encoded);  // [count, dimension], unit vectors

 private:
  torch::nn::Linear first_{nullptr}, second_{nullptr};
};
TORCH_MODULE(RegressionHead);

// What counts as true distance 1. Unit vectors of d dimensions that have nothing to do with each
// other are 2 · sqrt(d / π) apart in l1, 12.8 for 128, and at most 2 · sqrt(d). As released, the l1
// distance itself is 1 where the true one is the largest: all vectors must crowd together. Here a
// true distance of 1 is that of independent directions, so that the whole sphere is of use and no
// true distance is out of reach.
double distance_unit(bool unscaled);

// The fine-tuning of a rival whose embed() gives unit vectors; the head alone has weight decay.
Stage fine_tuning(Rival& rival, const TrainingSet& set, const torch::nn::Module& encoder,
                  const torch::nn::Module& head, double unit);

}  // namespace tsmini::rivals
