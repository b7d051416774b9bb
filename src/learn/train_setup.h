// What is made before the first step of training: checked, in order of cost.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "learn/augmentation.h"
#include "learn/feature_store.h"
#include "learn/learner.h"
#include "learn/projected_trips.h"
#include "learn/train_plan.h"
#include "learn/truth.h"

namespace tsmini::learn {

// Throws Error where the options cannot work, before anything that takes long.
struct TrainSetup {
  TrainSetup(const Dataset& data, const TrainOptions& options, const TrainObserver& observer,
             Products products);

  // True distances: what takes long. Not before the checkpoint is known to fit. `waiting` is called
  // while steps wait for labels.
  void measure(const Dataset& data, const TrainOptions& options, const TrainObserver& observer,
               std::function<void()> waiting);

  TrainPlan plan;
  Augmented augmented;
  FeatureStore train, valid;
  std::unique_ptr<Learner> learner;
  TrainFacts facts;
  double largest = 0;
  std::vector<float> truth;  // among the validation trajectories
};

}  // namespace tsmini::learn
