#include "learn/evaluator.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"

#include "learn/device.h"
#include "learn/feature_store.h"
#include "learn/net.h"

#ifdef TSMINI_LEARN_CUDA
#include "tsmini/cuda_pairs.h"

#include "learn/cuda/cuda_labels.h"
#endif

namespace tsmini::learn {
namespace {

using Indices = std::vector<std::size_t>;

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string part_for(const Dataset& data, const std::string& asked) {
  if (!asked.empty()) return asked;
  return data.info().has_split ? "test" : "all";
}

Indices indices_for(const Dataset& data, const std::string& part) {
  Indices indices;
  if (part == "all") {
    indices.resize(data.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
  } else {
    const Part wanted = part == "train"        ? Part::train
                        : part == "validation" ? Part::validation
                                               : Part::test;
    indices = data.indices_of(wanted);
  }
  if (indices.size() < 2)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} trajectories in part '{}' are too few", indices.size(), part),
                "tsmini info shows the split; --part all takes everything");
  return indices;
}

// Rows of the true distance matrix.
class Truth {
 public:
  Truth(const Model& model, const Dataset& data, const Indices& indices, const at::Device& device)
      : model_(model), data_(data), indices_(indices), trips_(data, model.space, indices) {
#ifdef TSMINI_LEARN_CUDA
    if (device.is_cuda() && gpu_labels_for(model.measure, model.measure_settings)) {
      gpu_ = std::make_unique<CudaPairs>(trips_);
      return;
    }
#endif
    static_cast<void>(device);
    cpu_ = std::make_unique<PairEngine>(model.measure, trips_, model.measure_settings);
  }

  void rows(std::size_t from, std::size_t count, std::span<float> out) const {
    const PlanarSet queries(data_, model_.space, std::span(indices_).subspan(from, count));
#ifdef TSMINI_LEARN_CUDA
    if (gpu_) return gpu_->many_to_many(model_.measure, queries, out);
#endif
    cpu_->many_to_many(queries, out);
  }

 private:
  const Model& model_;
  const Dataset& data_;
  const Indices& indices_;
  PlanarSet trips_;
  std::unique_ptr<PairEngine> cpu_;
#ifdef TSMINI_LEARN_CUDA
  std::unique_ptr<CudaPairs> gpu_;
#endif
};

at::Tensor distances_between(const at::Tensor& a, const at::Tensor& b,
                             const EmbeddingMetric& metric) {
  constexpr std::int64_t by_differences = 2;  // not by products, which lose digits
  constexpr double most = std::numeric_limits<double>::infinity();
  switch (metric.kind) {
    case MetricKind::l1: return at::cdist(a, b, 1, by_differences);
    case MetricKind::l2: return at::cdist(a, b, 2, by_differences);
    case MetricKind::linf: return at::cdist(a, b, most, by_differences);
    case MetricKind::chebyshev: break;
  }
  const auto group = static_cast<std::int64_t>(metric.group);
  at::Tensor sum = at::zeros({a.size(0), b.size(0)}, a.options());
  for (std::int64_t from = 0; from < a.size(1); from += group)
    sum += at::cdist(a.narrow(1, from, group).contiguous(), b.narrow(1, from, group).contiguous(),
                     most, by_differences);
  return sum;
}

// A thinned-out list of pairs, for a median.
struct PairSample {
  std::size_t stride = 1;
  std::vector<float> predicted, truth;

  void add(std::size_t row, std::span<const float> p, std::span<const float> t) {
    for (std::size_t i = row % stride; i < p.size(); i += stride) {
      predicted.push_back(p[i]);
      truth.push_back(t[i]);
    }
  }
};

double rand_index_of(const std::vector<float>& predicted, const std::vector<float>& truth,
                     std::size_t n, std::uint64_t seed) {
  const std::size_t clusters = std::min<std::size_t>(10, n);
  return rand_index(k_medoids(predicted, n, clusters, seed), k_medoids(truth, n, clusters, seed));
}

void check_coordinates(const Model& model, const Dataset& data) {
  const bool planar = model.frame.space.kind() == SpaceKind::planar;
  if (planar == (data.info().coordinates == Coordinates::planar)) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("the model is for {} coordinates, the data has {}",
                          planar ? "planar" : "geographic", name_of(data.info().coordinates)),
              "use data of the kind that the model was trained on");
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateRequest& request,
                    const Progress& progress) {
  const at::NoGradGuard no_grad;
  const DeviceSession session(request.device, {.threads = request.threads, .full_products = true});
  const at::Device device = device_from(request.device);
  check_coordinates(model, data);
  Evaluation result;
  result.part = part_for(data, request.part);
  result.device = describe(device);
  const Indices indices = indices_for(data, result.part);
  const std::size_t n = indices.size(), queries = std::min(n, request.limit.value_or(n));

  const FeatureStore store(data, indices, model.frame, model.net, device);
  Net net(model.net, model.frame, 0, store.longest(), device);
  net.parameters().from_tensors(model.tensors);
  const std::vector<int> first{0, 1};
  net.embed(store.batch(first), Pass{}).to(at::kCPU);  // wakes the device
  at::Tensor embeddings;
  {
    const Stopwatch watch(result.embed_seconds);
    embeddings = embed_all(net, store).to(device);
  }
  std::unique_ptr<Truth> truth;
  {
    const Stopwatch watch(result.truth_seconds);
    truth = std::make_unique<Truth>(model, data, indices, device);
  }

  constexpr std::size_t block = 256, most_pairs = 4'000'000;
  const bool clusters = queries == n && n <= most_for_rand_index;
  RetrievalMeter meter;
  PairSample sample;
  sample.stride = std::max<std::size_t>(1, n * queries / most_pairs);
  std::vector<float> all_predicted, all_true, true_rows;
  for (std::size_t from = 0; from < queries; from += block) {
    const std::size_t count = std::min(block, queries - from);
    true_rows.resize(count * n);
    {
      const Stopwatch watch(result.truth_seconds);
      truth->rows(from, count, true_rows);
    }
    at::Tensor predicted;
    {
      const Stopwatch watch(result.search_seconds);
      predicted = distances_between(
          embeddings.narrow(0, static_cast<std::int64_t>(from), static_cast<std::int64_t>(count)),
          embeddings, model.net.metric);
      const auto wanted = static_cast<std::int64_t>(std::min<std::size_t>(51, n));
      std::get<1>(at::topk(predicted, wanted, 1, false)).to(at::kCPU);
    }
    predicted = predicted.to(at::kCPU).contiguous();
    const std::span<const float> rows(predicted.data_ptr<float>(), count * n);
    for (std::size_t q = 0; q < count; ++q) {
      const auto p = rows.subspan(q * n, n),
                 t = std::span<const float>(true_rows).subspan(q * n, n);
      meter.add(from + q, p, t);
      sample.add(from + q, p, t);
    }
    if (clusters) {
      all_predicted.insert(all_predicted.end(), rows.begin(), rows.end());
      all_true.insert(all_true.end(), true_rows.begin(), true_rows.end());
    }
    if (progress) progress({from + count, queries});
  }
  result.score = meter.score();
  result.relative_error = median_relative_error(sample.predicted, sample.truth, model.scale);
  if (clusters) result.rand_index = rand_index_of(all_predicted, all_true, n, request.seed);
  result.peak_device_bytes = peak_memory(device);
  return result;
}

}  // namespace tsmini::learn
