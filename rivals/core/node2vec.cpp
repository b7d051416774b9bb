#include "rivals/core/node2vec.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <tbb/parallel_for.h>

#include "base/random.h"
#include "rivals/core/adam.h"
#include "rivals/core/timer.h"

namespace tsmini::rivals {
namespace {

using torch::indexing::Slice;

// Walks of a step: some ten thousand windows, more where the graph is so large that moving all its
// vectors would cost more than what a step learns.
constexpr std::int64_t least_walks = 320, most_walks = 4096, steps_of_large_epoch = 500;

// Uniform walks; one that cannot go on stays where it is.
class Walker {
 public:
  Walker(const Graph& graph, std::int64_t length, std::uint64_t seed)
      : length_(length), seed_(seed) {
    for (const auto& neighbours : graph) {
      neighbours_.insert(neighbours_.end(), neighbours.begin(), neighbours.end());
      offsets_.push_back(neighbours_.size());
    }
  }

  // A walk from each of `starts`, [starts, length]. No two walks share random numbers.
  Tensor walks_from(const Tensor& starts) {
    const std::int64_t count = starts.numel();
    Tensor walks = torch::empty({count, length_}, torch::kLong);
    const auto* start = starts.data_ptr<std::int64_t>();
    auto* nodes = walks.data_ptr<std::int64_t>();
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
      Random random(seed_, done_ + static_cast<std::uint64_t>(i));
      std::int64_t node = start[i];
      for (std::int64_t step = 0; step < length_; ++step) {
        nodes[i * length_ + step] = node;
        const std::size_t first = offsets_[static_cast<std::size_t>(node)];
        const std::size_t degree = offsets_[static_cast<std::size_t>(node) + 1] - first;
        if (degree > 0) node = neighbours_[first + random.below(degree)];
      }
    });
    done_ += static_cast<std::uint64_t>(count);
    return walks;
  }

 private:
  std::int64_t length_;
  std::uint64_t seed_, done_ = 0;
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::int64_t> neighbours_;
};

// Random vectors, each averaged with its neighbours' again and again: two are then alike where
// short walks from their nodes meet, which is most of what walks have to teach. From plain random
// vectors a large graph would take minutes to come this far.
Tensor first_vectors(const Graph& graph, std::int64_t width) {
  constexpr int rounds = 16;
  constexpr double deviation = .25;  // of vectors that have been learned
  const auto nodes = static_cast<std::int64_t>(graph.size());
  Tensor table = torch::randn({nodes, width}), next = torch::empty_like(table);
  for (int round = 0; round < rounds; ++round) {
    const auto* before = table.data_ptr<float>();
    auto* after = next.data_ptr<float>();
    tbb::parallel_for(std::int64_t{0}, nodes, [&](std::int64_t node) {
      const auto& neighbours = graph[static_cast<std::size_t>(node)];
      const auto share = 1 / static_cast<float>(neighbours.size() + 1);
      for (std::int64_t i = 0; i < width; ++i) {
        float sum = before[node * width + i];
        for (const std::int64_t other : neighbours) sum += before[other * width + i];
        after[node * width + i] = sum * share;
      }
    });
    std::swap(table, next);
  }
  const Tensor norms = table.norm(2, 1, true).clamp_min(1e-12);
  return table * (deviation * std::sqrt(static_cast<double>(width)) / norms);
}

// What skip-gram asks of a walk's sources (the first nodes of its windows) and the walk's nodes
// with its negatives behind them, [sources, nodes + negatives]: together or not, and how much it
// counts. Positives count as much as negatives altogether.
struct Windows {
  std::int64_t sources, negatives;
  Tensor together, weights;

  Windows(const WalkSettings& settings, const torch::Device& device) {
    const std::int64_t length = settings.length, window = std::min(settings.window, length);
    sources = length - window + 1;
    // For each node of a window that is not its source; all windows of a walk share them.
    negatives = settings.negatives * (window - 1);
    together = torch::zeros({sources, length + negatives});
    weights = torch::zeros({sources, length + negatives});
    for (std::int64_t i = 0; i < sources; ++i)
      together.index_put_({i, Slice(i + 1, i + window)}, 1);
    weights += together / static_cast<double>(window - 1);
    weights.index_put_({Slice(), Slice(length, torch::indexing::None)},
                       1 / static_cast<double>(negatives));
    together = together.to(device);
    weights = weights.to(device);
  }
};

// The gradient of -log σ(u·v) for nodes seen together and -log σ(-u·v) for negatives, by the table
// of vectors: the whole of it is small beside what a recorded graph of operations would cost.
Tensor gradient(const Tensor& table, const Tensor& walks, const Windows& windows) {
  const std::int64_t nodes = table.size(0), count = walks.size(0);
  const Tensor random = torch::randint(nodes, {count, windows.negatives}, walks.options());
  const Tensor ids = torch::cat({walks, random}, 1);
  const Tensor all = table.index_select(0, ids.reshape(-1)).reshape({count, ids.size(1), -1});
  const Tensor sources = all.narrow(1, 0, windows.sources);
  Tensor error = sources.bmm(all.transpose(1, 2)).sigmoid_();
  error.sub_(windows.together).mul_(windows.weights);
  Tensor by_vector = error.transpose(1, 2).bmm(sources);
  by_vector.narrow(1, 0, windows.sources).add_(error.bmm(all));
  return torch::embedding_dense_backward(by_vector, ids, nodes, -1, false);
}

}  // namespace

Tensor node2vec(const Graph& graph, std::int64_t width, const WalkSettings& settings,
                const torch::Device& device, const Progress& progress) {
  const torch::NoGradGuard no_grad;
  const Timer timer;
  const auto nodes = static_cast<std::int64_t>(graph.size()), walks = nodes * settings.walks;
  const Tensor table = first_vectors(graph, width).to(device).set_requires_grad(true);
  if (walks == 0) return table.detach().cpu();
  const auto seed = torch::randint(std::int64_t{1} << 62, {1}, torch::kLong).item<std::int64_t>();
  Walker walker(graph, settings.length, static_cast<std::uint64_t>(seed));
  const Windows windows(settings, device);
  Adam adam({{{table}}});
  const std::int64_t batch = std::clamp(walks / steps_of_large_epoch, least_walks, most_walks);
  const std::int64_t epoch_steps = (walks + batch - 1) / batch;
  const auto steps = static_cast<std::uint64_t>(settings.epochs * epoch_steps);
  std::uint64_t step = 0;
  for (std::int64_t epoch = 0; epoch < settings.epochs && !timer.passed(settings.seconds);
       ++epoch) {
    const Tensor starts = torch::randperm(walks, torch::kLong).remainder_(nodes);
    for (std::int64_t from = 0; from < walks && !timer.passed(settings.seconds); from += batch) {
      const Tensor some = starts.narrow(0, from, std::min(batch, walks - from));
      table.mutable_grad().copy_(gradient(table, walker.walks_from(some).to(device), windows));
      adam.step(settings.rate);
      if (++step; progress && step % 16 == 0)
        progress({step, timer.allowed(step, steps, settings.seconds)});
    }
  }
  return table.detach().cpu();
}

}  // namespace tsmini::rivals
