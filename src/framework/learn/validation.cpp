#include "learn/validation.h"

#include "tsmini/error.h"

#include "learn/ops/ops.h"

namespace tsmini::learn {
namespace {

// While it lives, the net has the averaged weights.
class Averaged {
 public:
  Averaged(Net& net, const Optimiser& optimiser)
      : parameters_(net.parameters()),
        weights_(parameters_.weights().clone()),
        buffers_(parameters_.buffers().clone()) {
    set(optimiser.average_weights(), optimiser.average_buffers());
  }
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;
  ~Averaged() { set(weights_, buffers_); }

  Verdict unscored() const {
    Verdict verdict;
    verdict.weights = parameters_.weights().clone();
    verdict.buffers = parameters_.buffers().clone();
    return verdict;
  }

 private:
  void set(const at::Tensor& weights, const at::Tensor& buffers) {
    const at::NoGradGuard no_grad;
    parameters_.weights().copy_(weights);
    parameters_.buffers().copy_(buffers);
  }

  Parameters& parameters_;
  at::Tensor weights_, buffers_;
};

void check_finite(const at::Tensor& embeddings) {
  if (!at::isfinite(embeddings).all().item<bool>())
    throw Error(ErrorCode::failure, "training went astray: an embedding is not a number",
                "lower the learning rate: --set rate=0.0005");
}

// A few of a set, evenly chosen: 64, or as many as have some 8,000 points together, but 2 at least.
std::vector<int> few_of(const FeatureStore& store) {
  constexpr std::size_t most = 64;
  constexpr std::int64_t most_points = 1 << 13;
  const std::size_t stride = (store.size() + most - 1) / most;
  std::vector<int> ids;
  std::int64_t points = 0;
  for (std::size_t i = 0; i < store.size(); i += stride) {
    points += store.length(i);
    if (ids.size() >= 2 && points > most_points) break;
    ids.push_back(static_cast<int>(i));
  }
  return ids;
}

}  // namespace

at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric) {
  const at::NoGradGuard no_grad;
  return pair_distances(embeddings, metric);
}

RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth,
                               const Progress& progress) {
  const auto n = static_cast<std::size_t>(predicted.size(0));
  RetrievalMeter meter;
  for (std::size_t q = 0; q < n; ++q) {
    if (progress && q % 64 == 0) progress({q, n});
    meter.add(q, {predicted.data_ptr<float>() + q * n, n}, {truth.data() + q * n, n});
  }
  return meter.score();
}

Verdict judge(Net& net, const Optimiser& optimiser, const FeatureStore& store,
              const std::vector<float>& truth, const Progress& progress) {
  const at::NoGradGuard no_grad;
  const Averaged averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  const at::Tensor embeddings = embed_all(net, store, progress);
  check_finite(embeddings);
  const at::Tensor predicted =
      predicted_distances(embeddings.to(verdict.weights.device()), net.settings().metric)
          .to(at::kCPU);
  verdict.score = score_retrieval(predicted, truth, progress);
  verdict.calibration = fit_calibration({predicted.data_ptr<float>(), truth.size()}, truth);
  return verdict;
}

Verdict calibrate_quickly(Net& net, const Optimiser& optimiser, const FeatureStore& store,
                          const std::vector<float>& truth) {
  const at::NoGradGuard no_grad;
  const Averaged averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  const std::vector<int> ids = few_of(store);
  const at::Tensor embeddings = net.embed(store.batch(ids), Pass{});
  check_finite(embeddings);
  const at::Tensor predicted =
      predicted_distances(embeddings, net.settings().metric).to(at::kCPU).contiguous();
  std::vector<float> known;
  for (const int a : ids) {
    const float* row = truth.data() + static_cast<std::size_t>(a) * store.size();
    for (const int b : ids) known.push_back(row[b]);
  }
  verdict.calibration = fit_calibration({predicted.data_ptr<float>(), known.size()}, known);
  return verdict;
}

}  // namespace tsmini::learn
