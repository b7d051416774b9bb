#include "tsmini/evaluate.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "tsmini/calibration.h"
#include "tsmini/embedding_index.h"
#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/heartbeat.h"
#include "tsmini/medoids.h"
#include "tsmini/pair_engine.h"
#include "tsmini/rand_index.h"

#include "base/amounts.h"
#include "base/stopwatch.h"
#include "score/distance_order.h"

namespace tsmini {
namespace {

using Indices = std::span<const std::size_t>;
using Rows = std::vector<float>;

constexpr std::size_t block = 256;  // queries at once

template <class Work>
auto timed(double& seconds, const Work& work) {
  struct Span {
    double& seconds;
    Stopwatch watch;
    ~Span() { seconds += watch.seconds(); }
  };
  const Span span{seconds, Stopwatch()};
  return work();
}

DistanceRows rows_on_cpu(const Model& model, const PlanarSet& base, const Progress& progress) {
  auto engine = std::make_shared<PairEngine>(model.measure, base, model.measure_settings);
  return [engine, progress](const PlanarSet& queries, std::span<float> distances) {
    engine->many_to_many(queries, distances, progress);
  };
}

class Embeddings {
 public:
  Embeddings(const Model& model, const Dataset& data, Indices indices, const Progress& progress)
      : metric_(model.net.metric),
        dimension_(model.net.dimension),
        rows_(indices.size() * dimension_) {
    Encoder(model).embed(data, indices, rows_, progress);
  }

  std::span<const float> row(std::size_t i) const { return rows(i, 1); }
  std::span<const float> rows(std::size_t from, std::size_t count) const {
    return std::span(rows_).subspan(from * dimension_, count * dimension_);
  }

  // Distances of `count` queries to all, row-major.
  Rows distances(std::size_t from, std::size_t count, const Heartbeat& heartbeat) const {
    const std::size_t n = rows_.size() / dimension_;
    Rows all(count * n);
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t q) {
      heartbeat.beat();
      for (std::size_t i = 0; i < n; ++i)
        all[q * n + i] = static_cast<float>(embedding_distance(metric_, row(from + q), row(i)));
    });
    return all;
  }

  double search_seconds(std::size_t queries, const Heartbeat& heartbeat) const {
    EmbeddingIndex index({.dimension = dimension_, .metric = metric_, .kind = IndexKind::flat});
    index.add(rows_);
    double seconds = 0;
    for (std::size_t from = 0; from < queries; from += block) {
      const std::size_t count = std::min(block, queries - from);
      timed(seconds, [&] { index.nearest_each(rows(from, count), 51); });
      heartbeat.beat();
    }
    return seconds;
  }

 private:
  EmbeddingMetric metric_;
  std::size_t dimension_;
  Rows rows_;
};

// A thinned-out list of pairs, for a median.
struct PairSample {
  std::size_t stride = 1;
  Rows predicted, truth;

  void add(std::size_t row, std::span<const float> p, std::span<const float> t) {
    for (std::size_t i = row % stride; i < p.size(); i += stride) {
      predicted.push_back(p[i]);
      truth.push_back(t[i]);
    }
  }
};

// Pairs of a query and the ten that have the nearest embeddings.
struct NearPairs {
  Rows predicted, truth;

  void add(std::size_t self, std::span<const float> p, std::span<const float> t) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(self));
    const auto end =
        order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, order.size()));
    std::partial_sort(order.begin(), end, order.end(), Nearer(p.data()));
    for (auto place = order.begin(); place != end; ++place) {
      predicted.push_back(p[*place]);
      truth.push_back(t[*place]);
    }
  }
};

double rand_index_of(const Rows& predicted, const Rows& truth, std::size_t n, std::uint64_t seed) {
  const std::size_t clusters = std::min<std::size_t>(10, n);
  return rand_index(k_medoids(predicted, n, clusters, seed), k_medoids(truth, n, clusters, seed));
}

void check_request(Indices indices, const EvaluateRequest& request) {
  if (indices.size() < 2)
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{} to compare: two are needed at least", counted(indices.size(), "trip")),
        "choose more of them, from another part of the split or from all");
  if (!request.known.empty() && request.known.size() != indices.size() * indices.size())
    throw Error(ErrorCode::usage,
                fmt::format("{} known distances do not fit {} trajectories", request.known.size(),
                            indices.size()),
                "give those of all to all, or none", "known");
}

// Takes the rows of distances as they come, and says what they tell.
class Scoring {
 public:
  Scoring(std::size_t queries, std::size_t base)
      : base_(base), clusters_(queries == base && base <= most_for_rand_index) {
    constexpr std::size_t most_pairs = 4'000'000;
    sample_.stride = std::max<std::size_t>(1, base * queries / most_pairs);
  }

  // The rows of the queries from `from` on.
  void add(std::size_t from, std::span<const float> predicted, std::span<const float> truth) {
    meter_.add_rows(from, base_, predicted, truth);
    for (std::size_t at = 0, query = from; at < predicted.size(); at += base_, ++query) {
      const auto p = predicted.subspan(at, base_), t = truth.subspan(at, base_);
      sample_.add(query, p, t);
      near_.add(query, p, t);
    }
    if (clusters_) {
      predicted_.insert(predicted_.end(), predicted.begin(), predicted.end());
      truth_.insert(truth_.end(), truth.begin(), truth.end());
    }
  }

  void tell(Evaluation& result, const Calibration& calibration, std::uint64_t seed) const {
    result.score = meter_.score();
    result.relative_error = median_relative_error(sample_.predicted, sample_.truth, calibration);
    result.near_relative_error = median_relative_error(near_.predicted, near_.truth, calibration);
    if (clusters_) result.rand_index = rand_index_of(predicted_, truth_, base_, seed);
  }

 private:
  std::size_t base_;
  bool clusters_;
  RetrievalMeter meter_;
  PairSample sample_;
  NearPairs near_;
  Rows predicted_, truth_;  // all of them, for clusters
};

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, Indices indices,
                    const EvaluateRequest& request, const Progress& progress) {
  check_request(indices, request);
  Evaluation result;
  const std::size_t n = indices.size(), queries = std::min(n, request.limit.value_or(n));
  std::uint64_t done = 0;
  Progress in_between;
  if (progress) in_between = [&](const ProgressState&) { progress({done, queries}); };
  const Heartbeat heartbeat(in_between);
  const Embeddings embeddings =
      timed(result.embed_seconds, [&] { return Embeddings(model, data, indices, in_between); });
  result.search_seconds = embeddings.search_seconds(queries, heartbeat);
  const PlanarSet base(data, model.space, indices);
  const DistanceRows measured = timed(result.truth_seconds, [&] {
    if (!request.known.empty()) return DistanceRows();
    return request.truth ? request.truth(base) : rows_on_cpu(model, base, in_between);
  });

  Scoring scoring(queries, n);
  Rows true_rows;
  for (std::size_t from = 0; from < queries; from += block) {
    const std::size_t count = std::min(block, queries - from);
    if (measured) {
      true_rows.resize(count * n);
      timed(result.truth_seconds, [&] {
        measured(PlanarSet(data, model.space, indices.subspan(from, count)), true_rows);
      });
    }
    scoring.add(
        from, embeddings.distances(from, count, heartbeat),
        measured ? std::span<const float>(true_rows) : request.known.subspan(from * n, count * n));
    done += count;
    if (progress) progress({done, queries});
  }
  scoring.tell(result, model.calibration, request.seed);
  return result;
}

}  // namespace tsmini
