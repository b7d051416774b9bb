// How good the weights are while they are learned.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "tsmini/embedding.h"
#include "tsmini/evaluation.h"

#include "learn/feature_store.h"
#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

// Predicted distances among all of a set by embeddings [n, d], row-major, [n, n] on the CPU.
at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric);
// Every row a query against the others.
RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth);

struct Verdict {
  RetrievalScore score;
  Calibration calibration;      // of predicted distances
  at::Tensor weights, buffers;  // those that were scored, for whoever wants to keep them
};

// Scores the averaged weights on a set with known distances. The net is as it was afterwards.
// Throws Error(failure) where an embedding is not a number.
Verdict judge(Net& net, const Optimiser& optimiser, const FeatureStore& store,
              const std::vector<float>& truth);

}  // namespace tsmini::learn
