// How good the weights are while they are learned.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tsmini/calibration.h"
#include "tsmini/progress.h"
#include "tsmini/retrieval.h"

#include "learn/feature_store.h"
#include "learn/net.h"
#include "learn/optimiser.h"

namespace tsmini::learn {

struct Verdict {
  RetrievalScore score;
  Calibration calibration;              // of predicted distances
  std::vector<float> weights, buffers;  // those that were scored, for whoever wants to keep them
};

// Trajectories to judge by, and the network's own way to their features.
template <typename T>
struct Judged {
  using Arena = typename Storage<T>::Arena;

  const FeatureStore& store;
  // Features of the trajectories `ids`, packed, in the arena.
  std::function<Points<T>(std::span<const int> ids)> batch;
  Arena& arena;
};

// Embeddings of all of them, `dimension` numbers each, in order. Linear; trajectories of like
// length go together. What the arena held is lost. Progress counts them.
template <typename T>
std::vector<float> embed_all(Net<T>& net, const Judged<T>& judged, const Progress& progress = {});
// The same on the CPU.
std::vector<float> embed_all(Net<float>& net, const FeatureStore& store, Arena& arena);

// Scores the averaged weights on a set with known distances. The net is as it was afterwards, also
// where `progress` throws, which is called at short intervals, by any thread but one at a time.
// Throws Error(failure) where an embedding is not a number.
template <typename T>
Verdict judge(Net<T>& net, const Optimiser<T>& optimiser, const Judged<T>& judged,
              std::span<const float> truth, const Progress& progress = {});

// The averaged weights without a score, calibrated on a few trajectories of the set: for who has no
// time. About as long as a step.
template <typename T>
Verdict calibrate_quickly(Net<T>& net, const Optimiser<T>& optimiser, const Judged<T>& judged,
                          std::span<const float> truth);

}  // namespace tsmini::learn
