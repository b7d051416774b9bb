#include "learn/validation.h"

#include "tsmini/error.h"

#include "learn/ops/ops.h"

namespace tsmini::learn {

at::Tensor predicted_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric) {
  const at::NoGradGuard no_grad;
  return pair_distances(embeddings, metric);
}

RetrievalScore score_retrieval(const at::Tensor& predicted, const std::vector<float>& truth) {
  const auto n = static_cast<std::size_t>(predicted.size(0));
  RetrievalMeter meter;
  for (std::size_t q = 0; q < n; ++q)
    meter.add(q, {predicted.data_ptr<float>() + q * n, n}, {truth.data() + q * n, n});
  return meter.score();
}

Verdict judge(Net& net, const Optimiser& optimiser, const FeatureStore& store,
              const std::vector<float>& truth) {
  const at::NoGradGuard no_grad;
  Parameters& parameters = net.parameters();
  const at::Tensor weights = parameters.weights().clone();
  const at::Tensor buffers = parameters.buffers().clone();
  parameters.weights().copy_(optimiser.average_weights());
  parameters.buffers().copy_(optimiser.average_buffers());
  const at::Tensor embeddings = embed_all(net, store);
  Verdict verdict;
  verdict.weights = parameters.weights().clone();
  verdict.buffers = parameters.buffers().clone();
  parameters.weights().copy_(weights);
  parameters.buffers().copy_(buffers);
  if (!at::isfinite(embeddings).all().item<bool>())
    throw Error(ErrorCode::failure, "training went astray: an embedding is not a number",
                "lower the learning rate: --set rate=0.0005");
  const at::Tensor predicted =
      predicted_distances(embeddings.to(weights.device()), net.settings().metric).to(at::kCPU);
  verdict.score = score_retrieval(predicted, truth);
  verdict.calibration = fit_calibration({predicted.data_ptr<float>(), truth.size()}, truth);
  return verdict;
}

}  // namespace tsmini::learn
