// What training is asked for, and what that comes to on a data set.
//
//   TrainRequest request{.recipe = recipe_for("default", Measure::frechet)};
//   TrainPlan plan(data, request);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/model.h"
#include "tsmini/space.h"

#include "learn/data_parts.h"
#include "learn/label_kind.h"
#include "learn/recipe.h"
#include "learn/stage.h"

namespace tsmini::learn {

// What training will work with, known before its first step.
struct TrainFacts {
  std::size_t train = 0, validation = 0;  // trajectories
  std::size_t for_validation = 0;         // of which those for validation were drawn
  std::size_t composed = 0;               // made of the training trajectories
  std::uint64_t train_points = 0, validation_points = 0;
  std::uint64_t parameters = 0;
  double largest = 0;         // distance in a sample; labels are divided by it
  double label_seconds = 0;   // spent on true distances so far
  std::uint64_t step = 0;     // where a checkpoint was resumed
  bool other_budget = false;  // than that of the checkpoint
  double spent = 0;           // share of the budget
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
  // Seconds from `started` on, for everything, that replace the recipe's budget in steps; 0: none.
  // Those that a run took before its checkpoint count, too.
  double time_budget = 0;
  bool steps_too = false;  // with a budget of time: the recipe's steps end it as well
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::optional<Model> init;  // weights to start from; its net must be that of the recipe
  bool rebox = false;         // with init: fit the box anew, for another region
  // Kept up to date while training, and left for the caller to remove; empty: none.
  std::filesystem::path checkpoint;
  bool resume = false;            // go on from that checkpoint, if it is there
  std::string provenance = "{}";  // JSON object, to be kept in the model

  StageWatch preparing;                          // called until then
  std::function<void(const TrainFacts&)> ready;  // called before the first step
  double watch_seconds =
      0.1;  // at least, between two calls of the watch that tell of no validation
  // Gets the best so far where training is stopped; before the first validation, what the steps
  // have come to.
  std::function<void(const Model&)> rescue;
};

// The plane that distances are taken in: that of the model to start from, or fitted to the data.
Space training_space(const Dataset& data, const TrainRequest& request);

struct TrainPlan {
  // Throws Error where the request cannot work. Linear in the points.
  TrainPlan(const Dataset& data, const TrainRequest& request);

  DataParts parts;
  Space space;
  FeatureFrame frame;
  nlohmann::ordered_json fingerprint;  // of all that decides the outcome: request, recipe, data
};

}  // namespace tsmini::learn
