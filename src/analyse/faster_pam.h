// k-medoids of a matrix, with the medoids (tsmini/medoids.h has the clusters alone).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/heartbeat.h"

namespace tsmini {

struct PamClusters {
  std::vector<std::size_t> medoids;
  std::vector<std::uint32_t> clusters;  // of each item: which medoid
};

PamClusters faster_pam(std::span<const float> distances, std::size_t n, std::size_t k,
                       std::uint64_t seed, std::size_t restarts, const Heartbeat& heartbeat);

}  // namespace tsmini
