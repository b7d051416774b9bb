#include "analyse/numbering.h"

#include <algorithm>
#include <numeric>

namespace tsmini {

Clusters numbered_by_size(const std::vector<std::uint32_t>& clusters, std::size_t names) {
  std::vector<std::size_t> sizes(names), firsts(names);
  Clusters result;
  for (std::size_t i = clusters.size(); i-- > 0;) {
    if (clusters[i] == no_cluster) {
      ++result.noise_trips;
    } else {
      ++sizes[clusters[i]];
      firsts[clusters[i]] = i;
    }
  }
  std::vector<std::uint32_t> order(names);
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t c) { return sizes[c] == 0; });
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sizes[a] > sizes[b] || (sizes[a] == sizes[b] && firsts[a] < firsts[b]);
  });
  result.count = order.size();
  std::vector<std::int32_t> labels(names, noise);
  for (std::size_t i = 0; i < order.size(); ++i) labels[order[i]] = static_cast<std::int32_t>(i);
  for (const std::uint32_t c : clusters) {
    result.labels.push_back(c == no_cluster ? noise : labels[c]);
  }
  return result;
}

}  // namespace tsmini
