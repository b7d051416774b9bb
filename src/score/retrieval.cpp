#include "tsmini/retrieval.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "score/distance_order.h"

namespace tsmini {
namespace {

constexpr std::size_t deepest = 50;
constexpr std::size_t reference = 10;  // of r10@50 and of re-ranking

// The `count` nearest of `order`, in order. Shuffles it.
std::span<const std::uint32_t> nearest(std::vector<std::uint32_t>& order, std::size_t count,
                                       std::span<const float> distances) {
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  const Nearer nearer(distances.data());
  if (middle != order.end()) std::nth_element(order.begin(), middle, order.end(), nearer);
  std::sort(order.begin(), middle, nearer);
  return std::span(order).first(count);
}

// The score of one query, or of no query where nothing can be found. `order` is scratch.
RetrievalScore score_query(std::size_t self, std::span<const float> predicted,
                           std::span<const float> truth, std::vector<std::uint32_t>& order) {
  assert(predicted.size() == truth.size() && self < truth.size());
  if (truth.size() < 2) return {};
  order.clear();
  for (std::uint32_t i = 0; i < truth.size(); ++i) {
    if (i != self) order.push_back(i);
  }
  const std::size_t candidates = order.size(), depth = std::min(deepest, candidates);

  std::array<std::uint32_t, deepest> truly{};
  const auto true_nearest = nearest(order, depth, truth);
  std::copy(true_nearest.begin(), true_nearest.end(), truly.begin());
  const auto found = nearest(order, depth, predicted);

  // rank[i]: place of the i-th nearest predicted among the truly nearest; depth where it has none.
  std::array<std::size_t, deepest> rank{};
  for (std::size_t i = 0; i < depth; ++i) {
    rank[i] = static_cast<std::size_t>(
        std::find(truly.begin(), truly.begin() + static_cast<std::ptrdiff_t>(depth), found[i]) -
        truly.begin());
  }
  const auto share = [&](std::size_t true_k, std::size_t predicted_k) {
    const std::size_t wanted = std::min(true_k, depth), seen = std::min(predicted_k, depth);
    const auto hits = std::count_if(rank.begin(), rank.begin() + static_cast<std::ptrdiff_t>(seen),
                                    [&](std::size_t place) { return place < wanted; });
    return static_cast<double>(hits) / static_cast<double>(wanted);
  };
  return {.queries = 1,
          .base = candidates,
          .hr1 = share(1, 1),
          .hr5 = share(5, 5),
          .hr10 = share(10, 10),
          .hr50 = share(50, 50),
          .r10at50 = share(reference, deepest),
          // Put in true order, whatever of the true 10 is among the 50 comes first: all is found.
          .rerank50 = share(reference, deepest)};
}

}  // namespace

void RetrievalMeter::add(const RetrievalScore& query) {
  sum_.queries += query.queries;
  sum_.base += query.base;
  sum_.hr1 += query.hr1;
  sum_.hr5 += query.hr5;
  sum_.hr10 += query.hr10;
  sum_.hr50 += query.hr50;
  sum_.r10at50 += query.r10at50;
  sum_.rerank50 += query.rerank50;
}

void RetrievalMeter::add(std::size_t self, std::span<const float> predicted,
                         std::span<const float> truth) {
  std::vector<std::uint32_t> order;
  add(score_query(self, predicted, truth, order));
}

// Scores are summed in the order of the queries, however many threads made them.
void RetrievalMeter::add_rows(std::size_t first, std::size_t base, std::span<const float> predicted,
                              std::span<const float> truth) {
  if (truth.empty()) return;
  assert(predicted.size() == truth.size() && truth.size() % base == 0);
  std::vector<RetrievalScore> scores(truth.size() / base);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, scores.size()), [&](const auto& some) {
    std::vector<std::uint32_t> order;
    for (std::size_t q = some.begin(); q < some.end(); ++q)
      scores[q] = score_query(first + q, predicted.subspan(q * base, base),
                              truth.subspan(q * base, base), order);
  });
  for (const RetrievalScore& score : scores) add(score);
}

RetrievalScore RetrievalMeter::score() const {
  if (sum_.queries == 0) return {};
  const auto n = static_cast<double>(sum_.queries);
  return {.queries = sum_.queries,
          .base = sum_.base / sum_.queries,
          .hr1 = sum_.hr1 / n,
          .hr5 = sum_.hr5 / n,
          .hr10 = sum_.hr10 / n,
          .hr50 = sum_.hr50 / n,
          .r10at50 = sum_.r10at50 / n,
          .rerank50 = sum_.rerank50 / n};
}

}  // namespace tsmini
