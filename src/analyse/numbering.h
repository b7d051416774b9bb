// Numbers of clusters that do not depend on how they were found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tsmini/clusters.h"

#include "score/renumber.h"

namespace tsmini {

inline constexpr std::uint32_t no_cluster = std::numeric_limits<std::uint32_t>::max();

// Clusters of any names below `names`, by falling size, ties to the lowest first trip.
Clusters numbered_by_size(const std::vector<std::uint32_t>& clusters, std::size_t names);

}  // namespace tsmini
