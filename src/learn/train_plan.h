// What training options come to on a data set, before anything that takes long.
//
//   TrainPlan plan(data, options);
#pragma once

#include <nlohmann/json.hpp>

#include "tsmini/train.h"

#include "learn/data_parts.h"

namespace tsmini::learn {

// Names the data in a fingerprint.
inline constexpr const char* data_key = "data_checksum";

struct TrainPlan {
  // Throws Error where the options cannot work. Linear in the points.
  TrainPlan(const Dataset& data, const TrainOptions& options, const TrainObserver& observer = {});

  DataParts parts;
  Space space;
  FeatureFrame frame;
  nlohmann::ordered_json fingerprint;  // of all that decides the outcome: options, recipe, data
};

}  // namespace tsmini::learn
