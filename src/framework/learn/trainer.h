// Trains a model on a data set. This header needs no LibTorch.
//
// The trajectories marked `train` are learned from and those marked `validation` (a seeded sample
// of 2,000 where there are more) choose the weights; without a split, a seeded tenth (at most
// 1,000) is held back for that. The same request on the same data and device gives the same model,
// whether it was stopped and resumed on the way or not (but for a budget of time, which decides how
// many steps there are).
//
// A resumed run may have another budget. Learning rate and validations then follow the new one:
// they stand where it would have them after what was done before. A budget of time counts
// everything, from reading to saving; at least one step is made.
//
// Memory does not grow with the number of pairs, and on the CPU hardly with the data, which stays
// where it is; on a GPU features take 28 bytes a point.
//
//   TrainRequest request{.recipe = recipe_for("default", Measure::frechet)};
//   Model model = train(data, request, [](const TrainEvent& e) { … });
#pragma once

#include <cstdint>
#include <functional>

#include "tsmini/dataset.h"
#include "tsmini/evaluation.h"
#include "tsmini/model.h"

#include "learn/train_request.h"

namespace tsmini::learn {

// What happens while training, for logs and progress.
struct TrainEvent {
  std::uint64_t step = 0;   // done so far
  std::uint64_t steps = 0;  // of the budget, as well as it is known
  double seconds = 0;       // of training, those before a checkpoint included
  double all_seconds = 0;   // with all that was done before the first step
  double rate = 0;
  double loss = 0;  // mean since the last validation; where validated
  bool validated = false;
  bool improved = false;  // better than all before
  bool past = false;      // told again after a resume
  RetrievalScore score;   // on validation, where validated
  double best_hr10 = 0;
};
// Called at every validation and some ten times a second, within validations too. May throw to
// stop: training then saves its checkpoint, gives request.rescue what there is, and lets the
// exception through.
using TrainWatch = std::function<void(const TrainEvent&)>;

Model train(const Dataset& data, const TrainRequest& request, const TrainWatch& watch);

}  // namespace tsmini::learn
