// Trains a model on a data set.
//
// The trajectories marked `train` are learned from and those marked `validation` choose the weights;
// without a split, a seeded tenth (at most 1,000) is held back for that. The same request on the
// same data and device gives the same model.
//
//   TrainRequest request{.recipe = recipe_for("default", Measure::frechet)};
//   Model model = train(data, request, [](const TrainEvent& e) { … });
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "learn/recipe.h"
#include "learn/truth.h"
#include "tsmini/dataset.h"
#include "tsmini/evaluation.h"
#include "tsmini/model.h"

namespace tsmini::learn {

struct TrainRequest {
  Recipe recipe;
  Measure measure = Measure::frechet;
  MeasureSettings measure_settings;
  SpaceKind space = SpaceKind::ground;
  std::uint64_t seed = 1;
  std::string device = "cpu";  // cpu or cuda
  LabelKind labels = LabelKind::automatic;
  double time_budget = 0;     // seconds of training that replace the budget in steps; 0: none
  std::optional<Model> init;  // weights to start from
  bool rebox = false;         // with init: fit the box anew, for another region
  std::filesystem::path checkpoint;  // kept up to date while training; empty: none
  bool resume = false;               // go on from that checkpoint
};

// What happens while training, for logs and progress.
struct TrainEvent {
  std::uint64_t step = 0;  // done so far
  std::uint64_t steps = 0;  // of the budget, as well as it is known
  double seconds = 0;       // since training began
  double rate = 0;
  double loss = 0;          // mean since the last event; where validated
  bool validated = false;
  RetrievalScore score;     // on validation, where validated
  double best_hr10 = 0;
};
// May throw to stop: training then saves its checkpoint and lets the exception through.
using TrainWatch = std::function<void(const TrainEvent&)>;

Model train(const Dataset& data, const TrainRequest& request, const TrainWatch& watch);

// Predicted distances among all of a set by embeddings [n, d], row-major, [n, n] on the CPU.
at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric);
// Every row a query against the others.
RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth);

}  // namespace tsmini::learn
