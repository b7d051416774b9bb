// Who is near whom, for all trips of a set at once: the k nearest of each, or all within a radius.
//
//   const NeighbourGraph graph = nearest_graph(search, 10, progress);
//   for (std::size_t i = 0; i < graph.size(); ++i)
//     for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e)
//       use(i, graph.indices[e], graph.distances[e]);
//
// Rows are compressed: 12 bytes an edge. Exact, computed on all cores, and the same on any number
// of them. Each function refuses, with Error(usage), what would not fit into `most_bytes`: a radius
// that is wide for its set has edges in the square of the trips. Within a radius 8 bytes an edge
// are needed besides while it is built, and count. For pairs that need not stay, tsmini/join.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/neighbour_search.h"
#include "tsmini/progress.h"

namespace tsmini {

struct NeighbourGraph {
  std::vector<std::uint64_t> offsets{0};  // one more than trips
  std::vector<std::uint32_t> indices;     // a row's by rising distance, ties to the lower index
  std::vector<double> distances;
  SearchWork work;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> neighbours(std::size_t trip) const {
    return std::span(indices).subspan(offsets[trip], offsets[trip + 1] - offsets[trip]);
  }
  std::span<const double> distances_of(std::size_t trip) const {
    return std::span(distances).subspan(offsets[trip], offsets[trip + 1] - offsets[trip]);
  }
};

inline constexpr std::uint64_t most_graph_bytes = std::uint64_t{1} << 30;

// The k nearest of each trip, fewer where there are no more. Progress counts distinct trips.
NeighbourGraph nearest_graph(const NeighbourSearch& search, std::size_t k,
                             const Progress& progress = {},
                             std::uint64_t most_bytes = most_graph_bytes);

// All within `radius` of each trip, each pair in both rows. Throws Error(usage) for a radius that
// is negative or not a number. In edwp the query of a pair is the one with the lower index, or
// whose first copy has. Progress counts distinct trips.
NeighbourGraph radius_graph(const NeighbourSearch& search, double radius,
                            const Progress& progress = {},
                            std::uint64_t most_bytes = most_graph_bytes);

}  // namespace tsmini
