#include "analyse/options.h"

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/amounts.h"

namespace tsmini {

void check_radius(double radius) {
  if (radius >= 0) return;
  throw Error(ErrorCode::usage, fmt::format("a radius of {} holds nothing", radius),
              "it is a distance, from 0 up", "radius");
}

void check_at_least(std::size_t number, std::size_t least, std::string_view field,
                    std::string_view what) {
  if (number >= least) return;
  throw Error(ErrorCode::usage, fmt::format("{} {} is too few", what, number),
              fmt::format("it is at least {}", least), std::string(field));
}

void check_neighbours(std::size_t neighbours, std::size_t trips, std::uint64_t most_bytes) {
  if (neighbours == 0 || trips <= most_bytes / edge_bytes / neighbours) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} neighbours of {} trips do not fit into {}", neighbours, trips,
                          human_bytes(static_cast<double>(most_bytes))),
              "ask for fewer neighbours", "k");
}

}  // namespace tsmini
