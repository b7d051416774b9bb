// Numbers of clusters that do not depend on how they were found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "tsmini/clusters.h"

namespace tsmini {

// The same clusters, numbered in the order of their first items, and how many there are.
inline std::uint32_t renumber(std::vector<std::uint32_t>& clusters) {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t& cluster : clusters) {
    cluster =
        numbers.try_emplace(cluster, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  return static_cast<std::uint32_t>(numbers.size());
}

inline constexpr std::uint32_t no_cluster = std::numeric_limits<std::uint32_t>::max();

// Clusters of any names below `names`, by falling size, ties to the lowest first trip.
Clusters numbered_by_size(const std::vector<std::uint32_t>& clusters, std::size_t names);

}  // namespace tsmini
