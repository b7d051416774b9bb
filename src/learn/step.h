// One step of training, on the CPU or on a GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/error.h"
#include "tsmini/recipe.h"

#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

// What differs from step to step.
struct StepInput {
  std::vector<int> ids;  // ascending
  StepRates rates;
  std::int64_t key = 0;  // what dropout draws from
};

// Features of some trajectories in the memory of a step.
template <typename T>
struct Points {
  Array<T> rows;
  Packing packing;
};

// A batch and what goes with it, all of it where the network is.
template <typename T>
struct StepBatch {
  Points<T> points;
  const T* labels;          // true distances, [count, count]
  double largest;           // what they are divided by
  const std::int64_t* key;  // what dropout draws from
  const StepRates* rates;
};

// What a step changes. All of it outlives the step.
template <typename T>
struct Trained {
  Net<T>& net;
  Optimiser<T>& optimiser;
  double* loss;  // the loss of the step is added to it
};

// Weights that have left all use: nothing is kept of them.
class WentAstray : public Error {
 public:
  WentAstray();
};

// Throws WentAstray where something that was computed from the weights is not a number.
void check_finite(std::span<const float> values);
void check_finite(double value);

// Forward, backward and optimiser for one batch. Where the loss is not a number, weights are left
// as they were.
template <typename T>
void train_step(Tape<T>& tape, const Trained<T>& trained, const StepBatch<T>& batch,
                const LossSettings& settings) {
  trained.net.parameters().forget_gradient();
  const Points<T>& points = batch.points;
  const Array<T> embeddings = trained.net.embed(tape, points.rows, points.packing, batch.key);
  const Array<T> distances = pair_distances(tape, embeddings, trained.net.settings().metric);
  similarity_loss(tape, distances, batch.labels, batch.largest, settings, trained.loss);
  tape.backward();
  trained.optimiser.step(tape, trained.net.parameters(), batch.rates, trained.loss);
}

}  // namespace tsmini::learn
