#include "search/scan.h"

#include "search/k_nearest.h"
#include "search/scan_stretches.h"

namespace tsmini {
namespace {

std::vector<Hit> hits_of(Nearest<float>& nearest) {
  std::vector<Hit> hits;
  for (const auto& item : nearest.take()) hits.push_back({item.row, item.distance});
  return hits;
}

}  // namespace

std::vector<std::vector<Hit>> scan(const RowStore& rows, std::span<const PlacedQuery> queries,
                                   std::size_t k, const Allowed& allowed) {
  const Stretches stretches{rows.size(), rows.layout().width() * sizeof(float), queries.size()};
  auto nearest = scan_stretches<float>(
      stretches, k, allowed,
      [&](std::size_t q, std::size_t first, std::size_t count, float* distances) {
        rows.measure(queries[q], first, count, distances);
      });
  std::vector<std::vector<Hit>> answers;
  answers.reserve(queries.size());
  for (Nearest<float>& n : nearest) answers.push_back(hits_of(n));
  return answers;
}

std::vector<Hit> scan_some(const RowStore& rows, std::span<const std::uint32_t> some,
                           const PlacedQuery& query, std::size_t k) {
  std::vector<float> distances(some.size());
  rows.measure(query, some, distances.data());
  Nearest<float> nearest(k);
  for (std::size_t i = 0; i < some.size(); ++i) nearest.offer(distances[i], some[i]);
  return hits_of(nearest);
}

}  // namespace tsmini
