// The steps of NeuTraj's cell through a batch of trips, with their gradient.
//
// A cell like an LSTM's, with a fifth gate s for what it reads from the memory of cells it passes:
//
//   i, f, o, s = σ(…), g = tanh(…)        all of them affine in the point and the state before
//   ĉ = f ⊙ c + i ⊙ g
//   r = tanh(W [mix; ĉ] + b)              mix: what ĉ attends to in the 25 rows of memory around
//   c = ĉ + s ⊙ r,   h = o ⊙ tanh(c)
//   memory[cell] ← s ⊙ memory[cell] + (1 - s) ⊙ c         while training
//
// What is read has no gradient but for W and b. The gradient is written out here, in place of a
// record of some fifty operations a step: a step of training takes a fifth of the time.
#pragma once

#include <cstdint>
#include <vector>

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// Trips that are stepped through together, the longest first: those that go on at a step are the
// first ones. What belongs to steps stands one after the other: [sum of active, …].
struct SamSteps {
  std::vector<std::int64_t> active;  // trips that the network sees at a step
  std::vector<std::int64_t> going;   // those of them that have not ended; 0 behind the last step
  Tensor cells;                      // rows of memory, int64
  Tensor neighbours;                 // [sum of active, 25], rows of memory around
  bool mixes_neighbours = false;     // as released: rows of one trip are taken for another's
  bool writes = false;               // to the memory
  bool writes_padding = false;       // as released: trips that have ended do, too
};

// Last states h [trips, d]. `from_points` [sum of active, 5 d] is the affine map of points, biases
// of both maps included, for i, f, o, s and g; `from_state` is [5 d, d], `read` [d, 2 d].
Tensor sam_lstm(const SamSteps& steps, const Tensor& memory, const Tensor& from_points,
                const Tensor& from_state, const Tensor& read, const Tensor& read_bias);

}  // namespace tsmini::rivals
