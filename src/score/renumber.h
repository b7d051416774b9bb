// Names of clusters in the order of their first items.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

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

}  // namespace tsmini
