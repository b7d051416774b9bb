#include "learn/validation.h"

#include <algorithm>

#include "learn/step.h"

namespace tsmini::learn {
namespace {

// While it lives, the net has the averaged weights.
class Averaged {
 public:
  Averaged(Net<float>& net, const Optimiser& optimiser)
      : parameters_(net.parameters()),
        weights_(parameters_.weights().begin(), parameters_.weights().end()),
        buffers_(parameters_.buffers().begin(), parameters_.buffers().end()) {
    set(optimiser.average_weights(), optimiser.average_buffers());
  }
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;
  ~Averaged() { set(weights_, buffers_); }

  Verdict unscored() const {
    Verdict verdict;
    verdict.weights.assign(parameters_.weights().begin(), parameters_.weights().end());
    verdict.buffers.assign(parameters_.buffers().begin(), parameters_.buffers().end());
    return verdict;
  }

 private:
  void set(std::span<const float> weights, std::span<const float> buffers) {
    std::copy(weights.begin(), weights.end(), parameters_.weights().begin());
    std::copy(buffers.begin(), buffers.end(), parameters_.buffers().begin());
  }

  Parameters<float>& parameters_;
  std::vector<float> weights_, buffers_;
};

// Distances among embeddings, in the arena.
std::span<const float> predicted_distances(const Net<float>& net, std::span<float> embeddings,
                                           Arena& arena) {
  check_finite(embeddings);
  const std::size_t dimension = net.settings().dimension;
  Tape<float> tape(arena, Tape<float>::Purpose::embedding);
  const Array<float> distances =
      pair_distances(tape, {embeddings.data(), embeddings.size() / dimension, dimension, nullptr},
                     net.settings().metric);
  return {distances.data, distances.size()};
}

// Every row a query against the others.
RetrievalScore score_retrieval(std::span<const float> predicted, std::span<const float> truth,
                               std::size_t n, const Progress& progress) {
  RetrievalMeter meter;
  for (std::size_t q = 0; q < n; ++q) {
    if (progress && q % 64 == 0) progress({q, n});
    meter.add(q, predicted.subspan(q * n, n), truth.subspan(q * n, n));
  }
  return meter.score();
}

// A few of a set, evenly chosen: 64, or as many as have some 8,000 points together, but 2 at least.
std::vector<int> few_of(const FeatureStore& store) {
  constexpr std::size_t most = 64, most_points = 1 << 13;
  const std::size_t stride = (store.size() + most - 1) / most;
  std::vector<int> ids;
  std::size_t points = 0;
  for (std::size_t i = 0; i < store.size(); i += stride) {
    points += store.length(i);
    if (ids.size() >= 2 && points > most_points) break;
    ids.push_back(static_cast<int>(i));
  }
  return ids;
}

}  // namespace

Verdict judge(Net<float>& net, const Optimiser& optimiser, const FeatureStore& store, Arena& arena,
              std::span<const float> truth, const Progress& progress) {
  const Averaged averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  std::vector<float> embeddings = embed_all(net, store, arena, progress);
  const auto predicted = predicted_distances(net, embeddings, arena);
  verdict.score = score_retrieval(predicted, truth, store.size(), progress);
  verdict.calibration = fit_calibration(predicted, truth);
  return verdict;
}

Verdict calibrate_quickly(Net<float>& net, const Optimiser& optimiser, const FeatureStore& store,
                          Arena& arena, std::span<const float> truth) {
  const Averaged averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  const std::vector<int> ids = few_of(store);
  arena.clear();
  const Points points = store.batch(ids, arena);
  Tape<float> tape(arena, Tape<float>::Purpose::embedding);
  const Array<float> embeddings = net.embed(tape, points.rows, points.packing);
  const auto predicted = predicted_distances(net, {embeddings.data, embeddings.size()}, arena);
  std::vector<float> known;
  for (const int a : ids) {
    const auto row = truth.subspan(static_cast<std::size_t>(a) * store.size(), store.size());
    for (const int b : ids) known.push_back(row[static_cast<std::size_t>(b)]);
  }
  verdict.calibration = fit_calibration(predicted, known);
  return verdict;
}

}  // namespace tsmini::learn
