// Labels as they should be numbered, from clusters of any names.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/clusters.h"

namespace tsmini {

using NamedClusters = std::vector<int>;  // below 0: noise

inline std::vector<std::int32_t> numbered(const NamedClusters& names) {
  std::map<int, std::vector<int>> members;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] >= 0) members[names[i]].push_back(static_cast<int>(i));
  }
  std::vector<std::vector<int>> clusters;
  for (const auto& [name, trips] : members) clusters.push_back(trips);
  std::sort(clusters.begin(), clusters.end(), [](const auto& a, const auto& b) {
    return std::pair(-static_cast<int>(a.size()), a[0]) <
           std::pair(-static_cast<int>(b.size()), b[0]);
  });
  std::vector<std::int32_t> labels(names.size(), noise);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const int trip : clusters[c]) {
      labels[static_cast<std::size_t>(trip)] = static_cast<std::int32_t>(c);
    }
  }
  return labels;
}

inline void expect_consistent(const Clusters& clusters) {
  std::int32_t most = noise;
  std::size_t none = 0;
  for (const std::int32_t label : clusters.labels) {
    most = std::max(most, label);
    none += label == noise ? 1u : 0u;
  }
  EXPECT_EQ(static_cast<std::size_t>(most + 1), clusters.count);
  EXPECT_EQ(none, clusters.noise_trips);
}

}  // namespace tsmini
