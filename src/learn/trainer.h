// Trains a model on a data set.
//
// The trajectories marked `train` are learned from and those marked `validation` choose the
// weights; without a split, a seeded tenth (at most 1,000) is held back for that. The same request
// on the same data and device gives the same model, whether it was stopped and resumed on the way
// or not (but for a budget of time, which decides how many steps there are).
//
//   TrainRequest request{.recipe = recipe_for("default", Measure::frechet)};
//   Model model = train(data, request, [](const TrainEvent& e) { … });
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/evaluation.h"
#include "tsmini/model.h"

#include "learn/recipe.h"
#include "learn/truth.h"
#include "learn/validation.h"

namespace tsmini::learn {

// What training will work with, known before its first step.
struct TrainFacts {
  std::size_t train = 0, validation = 0;  // trajectories
  std::size_t composed = 0;               // made of the training trajectories
  std::uint64_t train_points = 0, validation_points = 0;
  std::uint64_t parameters = 0;
  double largest = 0;        // distance in a sample; labels are divided by it
  double label_seconds = 0;  // spent on true distances so far
  std::uint64_t step = 0;    // where a checkpoint was resumed
};

struct TrainRequest {
  Recipe recipe;
  Measure measure = Measure::frechet;
  MeasureSettings measure_settings;
  SpaceKind space = SpaceKind::ground;
  std::uint64_t seed = 1;
  std::string device = "cpu";  // cpu or cuda
  std::size_t threads = 0;     // on the CPU; 0: all cores
  LabelKind labels = LabelKind::automatic;
  double time_budget = 0;     // seconds of training that replace the budget in steps; 0: none
  std::optional<Model> init;  // weights to start from; its net must be that of the recipe
  bool rebox = false;         // with init: fit the box anew, for another region
  // Kept up to date while training, and left for the caller to remove; empty: none.
  std::filesystem::path checkpoint;
  bool resume = false;            // go on from that checkpoint, if it is there
  std::string provenance = "{}";  // JSON object, to be kept in the model

  std::function<void(const TrainFacts&)> ready;  // called before the first step
  std::function<void(const Model&)> rescue;      // the best so far, where training is stopped
};

// What happens while training, for logs and progress.
struct TrainEvent {
  std::uint64_t step = 0;   // done so far
  std::uint64_t steps = 0;  // of the budget, as well as it is known
  double seconds = 0;       // of training, those before a checkpoint included
  double rate = 0;
  double loss = 0;  // mean since the last validation; where validated
  bool validated = false;
  bool improved = false;  // better than all before
  bool past = false;      // told again after a resume
  RetrievalScore score;   // on validation, where validated
  double best_hr10 = 0;
};
// Called at every validation and some ten times a second. May throw to stop: training then saves
// its checkpoint and lets the exception through.
using TrainWatch = std::function<void(const TrainEvent&)>;

Model train(const Dataset& data, const TrainRequest& request, const TrainWatch& watch);

}  // namespace tsmini::learn
