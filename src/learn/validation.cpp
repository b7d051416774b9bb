#include "learn/validation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tsmini/calibration.h"
#include "tsmini/error.h"

#include "learn/step.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_ops.h"
#endif

namespace tsmini::learn {
namespace {

// While it lives, the net has the averaged weights.
template <typename T>
class Averaged {
 public:
  Averaged(Net<T>& net, const Optimiser<T>& optimiser)
      : parameters_(net.parameters()),
        weights_(copy_out<T>(parameters_.weights())),
        buffers_(copy_out<T>(parameters_.buffers())) {
    verdict_.weights = copy_out<T>(optimiser.average_weights());
    verdict_.buffers = copy_out<T>(optimiser.average_buffers());
    set(verdict_.weights, verdict_.buffers);
  }
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;
  ~Averaged() {
    try {
      set(weights_, buffers_);
    } catch (const Error&) {  // a GPU that is lost; whoever uses it next is told
    }
  }

  const Verdict& unscored() const { return verdict_; }

 private:
  void set(std::span<const float> weights, std::span<const float> buffers) {
    copy_in<T>(weights, parameters_.weights());
    copy_in<T>(buffers, parameters_.buffers());
  }

  Parameters<T>& parameters_;
  std::vector<float> weights_, buffers_;
  Verdict verdict_;
};

// Distances among embeddings.
template <typename T>
std::vector<float> predicted_distances(Net<T>& net, std::span<const float> embeddings,
                                       const Judged<T>& judged) {
  check_finite(embeddings);
  const std::size_t dimension = net.settings().dimension;
  Tape<T> tape(judged.arena, Tape<T>::Purpose::embedding);
  const Array<T> rows = tape.array(embeddings.size() / dimension, dimension);
  copy_in<T>(embeddings, {rows.data, rows.size()});
  const Array<T> distances = pair_distances(tape, rows, net.settings().metric);
  return copy_out<T>({distances.data, distances.size()});
}

// Embeddings of some of them.
template <typename T>
std::vector<float> embed_some(Net<T>& net, const Judged<T>& judged, std::span<const int> ids,
                              const Heartbeat& heartbeat = {}) {
  judged.arena.clear();
  Tape<T> tape(judged.arena, Tape<T>::Purpose::embedding, heartbeat);
  const Points<T> points = judged.batch(ids);
  const Array<T> embeddings = net.embed(tape, points.rows, points.packing);
  return copy_out<T>({embeddings.data, embeddings.size()});
}

// The score with every row as a query against the others.
RetrievalScore score_retrieval(std::span<const float> predicted, std::span<const float> truth,
                               std::size_t n, const Progress& progress) {
  constexpr std::size_t at_once = 256;
  RetrievalMeter meter;
  for (std::size_t from = 0; from < n; from += at_once) {
    if (progress) progress({from, n});
    const std::size_t count = std::min(at_once, n - from);
    meter.add_rows(from, n, predicted.subspan(from * n, count * n),
                   truth.subspan(from * n, count * n));
  }
  return meter.score();
}

// What stands above the diagonal of a square matrix: each pair once.
std::vector<float> pairs_of(std::span<const float> square, std::size_t n) {
  std::vector<float> pairs;
  pairs.reserve(n * n / 2);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = square.subspan(i * n, n).subspan(i + 1);
    pairs.insert(pairs.end(), row.begin(), row.end());
  }
  return pairs;
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

// How many rows are embedded at a time: a tenth of a second on two cores; a GPU wants more to do.
template <typename T>
constexpr std::size_t rows_at_a_time = std::is_same_v<T, GpuFloat> ? 1 << 15 : 1 << 13;

}  // namespace

template <typename T>
std::vector<float> embed_all(Net<T>& net, const Judged<T>& judged, const Progress& progress) {
  const FeatureStore& store = judged.store;
  std::vector<int> order(store.size());
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](int id) { return store.length(static_cast<std::size_t>(id)); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return length(a) < length(b); });
  const std::size_t dimension = net.settings().dimension;
  std::vector<float> embeddings(store.size() * dimension);
  const Heartbeat heartbeat(progress, order.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    for (std::size_t rows = 0; to < order.size() && (to == from || rows < rows_at_a_time<T>); ++to)
      rows += length(order[to]);
    const std::span<const int> ids(order.data() + from, to - from);
    const std::vector<float> part = embed_some(net, judged, ids, heartbeat);
    for (std::size_t i = 0; i < ids.size(); ++i)
      std::copy_n(part.data() + i * dimension, dimension,
                  embeddings.data() + static_cast<std::size_t>(ids[i]) * dimension);
    heartbeat.advance(to - from);
    from = to;
  }
  judged.arena.clear();
  return embeddings;
}

std::vector<float> embed_all(Net<float>& net, const FeatureStore& store, Arena& arena) {
  const auto batch = [&](std::span<const int> ids) { return store.batch(ids, arena); };
  return embed_all<float>(net, {store, batch, arena});
}

template <typename T>
Verdict judge(Net<T>& net, const Optimiser<T>& optimiser, const Judged<T>& judged,
              std::span<const float> truth, const Progress& progress) {
  const Averaged<T> averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  const std::vector<float> predicted =
      predicted_distances(net, embed_all(net, judged, progress), judged);
  const std::size_t n = judged.store.size();
  verdict.score = score_retrieval(predicted, truth, n, progress);
  verdict.calibration = fit_calibration(pairs_of(predicted, n), pairs_of(truth, n));
  return verdict;
}

template <typename T>
Verdict calibrate_quickly(Net<T>& net, const Optimiser<T>& optimiser, const Judged<T>& judged,
                          std::span<const float> truth) {
  const Averaged<T> averaged(net, optimiser);
  Verdict verdict = averaged.unscored();
  const std::vector<int> ids = few_of(judged.store);
  const std::vector<float> predicted =
      predicted_distances(net, embed_some<T>(net, judged, ids), judged);
  std::vector<float> known;
  for (const int a : ids) {
    const auto row = truth.subspan(static_cast<std::size_t>(a) * judged.store.size());
    for (const int b : ids) known.push_back(row[static_cast<std::size_t>(b)]);
  }
  verdict.calibration = fit_calibration(predicted, known);
  return verdict;
}

template std::vector<float> embed_all(Net<float>&, const Judged<float>&, const Progress&);
template Verdict judge(Net<float>&, const Optimiser<float>&, const Judged<float>&,
                       std::span<const float>, const Progress&);
template Verdict calibrate_quickly(Net<float>&, const Optimiser<float>&, const Judged<float>&,
                                   std::span<const float>);
#ifdef TSMINI_CUDA
template Verdict judge(Net<GpuFloat>&, const Optimiser<GpuFloat>&, const Judged<GpuFloat>&,
                       std::span<const float>, const Progress&);
template Verdict calibrate_quickly(Net<GpuFloat>&, const Optimiser<GpuFloat>&,
                                   const Judged<GpuFloat>&, std::span<const float>);
#endif

}  // namespace tsmini::learn
