// How every rival is trained: its stage's steps with Adam, a look at the validation trips now and
// then, and the best weights kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tsmini/retrieval.h"

#include "rivals/core/rival.h"

namespace tsmini::rivals {

struct Budget {
  std::optional<std::uint64_t> steps = {};  // none: the recipe's
  std::optional<double> seconds = {};       // none: as long as it takes
  std::uint64_t validations = 10;
};

// Told every now and then, and after every validation. May throw to stop.
struct TrainingEvent {
  std::uint64_t step = 0, steps = 0;      // steps as far as known
  double seconds = 0;                     // validations included
  double loss = 0;                        // mean since the last validation
  const RetrievalScore* score = nullptr;  // where validated
};
using TrainingWatch = std::function<void(const TrainingEvent&)>;

struct TrainingResult {
  std::uint64_t steps = 0;
  std::uint64_t recipe_steps = 0;  // that its recipe has
  double seconds = 0;
  double loss = 0;  // mean of the last part
  std::optional<RetrievalScore> best;
  // Time ended it, and the last validation was the best by more than a thousandth.
  bool rising = false;
};

// Hit ratios of validation trips by what the rival predicts.
using Validate = std::function<RetrievalScore()>;

// Weights are those of the best validation by HR@10 afterwards, without `validate` the last ones.
// At least one step is made, and the last one is validated. Where the loss stops being a number it
// ends with the best so far; throws Error(failure) where there is none.
TrainingResult train(Rival& rival, const Stage& stage, const Budget& budget,
                     const Validate& validate, const TrainingWatch& watch);

// Predicted distances [queries, n] of the first trips of a set against true ones [n, n].
RetrievalScore score_of(const Tensor& predicted, const Tensor& truth);

}  // namespace tsmini::rivals
