#include "search/scan.h"

#include <algorithm>

#include "search/nearest.h"

namespace tsmini {
namespace {

constexpr std::size_t stretch_bytes = 32 << 10;

std::vector<Hit> hits_of(Nearest<float>& nearest) {
  std::vector<Hit> hits;
  for (const auto& item : nearest.take()) hits.push_back({item.row, item.distance});
  return hits;
}

}  // namespace

std::vector<std::vector<Hit>> scan(const RowStore& rows, std::span<const PlacedQuery> queries,
                                   std::size_t k, const Allowed& allowed) {
  const std::size_t stretch =
      std::max<std::size_t>(stretch_bytes / (rows.layout().width() * sizeof(float)), 4);
  std::vector<Nearest<float>> nearest(queries.size(), Nearest<float>(k));
  std::vector<float> distances(stretch);
  for (std::size_t first = 0; first < rows.size(); first += stretch) {
    const std::size_t count = std::min(stretch, rows.size() - first);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      rows.measure(queries[q], first, count, distances.data());
      float limit = nearest[q].limit();
      for (std::size_t i = 0; i < count; ++i) {
        if (distances[i] > limit) continue;
        const auto row = static_cast<std::uint32_t>(first + i);
        if (!allowed(row)) continue;
        nearest[q].offer(distances[i], row);
        limit = nearest[q].limit();
      }
    }
  }
  std::vector<std::vector<Hit>> answers;
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
