// What all findings refuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tsmini/neighbour_graph.h"

namespace tsmini {

// Throws Error(usage) for one that is negative or not a number.
void check_radius(double radius);
// Throws Error(usage) where the number of a field is below the least it may be: `what` says what it
// is a number of.
void check_at_least(std::size_t number, std::size_t least, std::string_view field,
                    std::string_view what);

// An index and a distance.
inline constexpr std::uint64_t edge_bytes = sizeof(std::uint32_t) + sizeof(double);

// Throws Error(usage) where so many neighbours of each of so many trips do not fit.
void check_neighbours(std::size_t neighbours, std::size_t trips,
                      std::uint64_t most_bytes = most_graph_bytes);

}  // namespace tsmini
