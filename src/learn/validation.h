// How good the weights are while they are learned.
#pragma once

#include <span>
#include <vector>

#include "tsmini/embedding.h"
#include "tsmini/evaluation.h"
#include "tsmini/progress.h"

#include "learn/feature_store.h"
#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

struct Verdict {
  RetrievalScore score;
  Calibration calibration;              // of predicted distances
  std::vector<float> weights, buffers;  // those that were scored, for whoever wants to keep them
};

// Scores the averaged weights on a set with known distances. The net is as it was afterwards, also
// where `progress` throws, which is called at short intervals. Throws Error(failure) where an
// embedding is not a number.
Verdict judge(Net<float>& net, const Optimiser& optimiser, const FeatureStore& store, Arena& arena,
              std::span<const float> truth, const Progress& progress = {});

// The averaged weights without a score, calibrated on a few trajectories of the set: for who has no
// time. About as long as a step.
Verdict calibrate_quickly(Net<float>& net, const Optimiser& optimiser, const FeatureStore& store,
                          Arena& arena, std::span<const float> truth);

}  // namespace tsmini::learn
