// How good the weights are while they are learned.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "tsmini/embedding.h"
#include "tsmini/evaluation.h"
#include "tsmini/progress.h"

#include "learn/feature_store.h"
#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

// Predicted distances among all of a set by embeddings [n, d], row-major, [n, n] on the CPU.
at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric);
// Every row a query against the others. Progress counts rows.
RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth,
                               const Progress& progress = {});

struct Verdict {
  RetrievalScore score;
  Calibration calibration;      // of predicted distances
  at::Tensor weights, buffers;  // those that were scored, for whoever wants to keep them
};

// Scores the averaged weights on a set with known distances. The net is as it was afterwards, also
// where `progress` throws, which is called at short intervals. Throws Error(failure) where an
// embedding is not a number.
Verdict judge(Net& net, const Optimiser& optimiser, const FeatureStore& store,
              const std::vector<float>& truth, const Progress& progress = {});

// The averaged weights without a score, calibrated on a few trajectories of the set: for who has no
// time. About as long as a step.
Verdict calibrate_quickly(Net& net, const Optimiser& optimiser, const FeatureStore& store,
                          const std::vector<float>& truth);

}  // namespace tsmini::learn
