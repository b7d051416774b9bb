// Where taxi trips begin and end.
//
// Pick-ups gather at hot spots (the square, stations, the airport, the stadium, hospitals …) and at
// taxi ranks, some far busier than others; drop-offs are spread more widely over homes, which stand
// along every street, few of them far from the centre. Drawn once per seed, read-only afterwards.
//
//   Places places(network, seed);
//   std::uint32_t from = places.draw(TripEnd::pick_up, random);
//   std::uint32_t to = places.draw(TripEnd::drop_off, random);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "city/network.h"

namespace tsmini::city {

enum class TripEnd : std::uint8_t { pick_up, drop_off };

class Places {
 public:
  Places(const Network& network, std::uint64_t seed);

  std::uint32_t draw(TripEnd end, Random& random) const;  // a node

 private:
  struct Spot {
    std::vector<std::uint32_t> doors;  // nodes, all equally likely
    std::array<double, 2> up_to;       // per TripEnd: weight of this spot and all before it
  };

  std::uint32_t draw_spot(TripEnd end, Random& random) const;
  std::uint32_t draw_rank(Random& random) const;
  std::uint32_t draw_home(Random& random) const;

  const Network& network_;
  std::vector<Spot> spots_;
  std::vector<std::uint32_t> ranks_;  // nodes, busiest first
};

}  // namespace tsmini::city
