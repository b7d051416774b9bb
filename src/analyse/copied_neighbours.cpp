#include "analyse/copied_neighbours.h"

#include <algorithm>

namespace tsmini {

std::vector<Neighbour> with_copies(const DistinctTrips& distinct, std::span<const Neighbour> near,
                                   std::size_t most,
                                   const std::function<bool(std::size_t)>& allowed) {
  std::vector<Neighbour> all;
  for (const Neighbour& n : near) {
    std::size_t taken = 0;
    for (const std::uint32_t trip : distinct.copies(n.index)) {
      if (taken == most) break;
      if (allowed && !allowed(trip)) continue;
      all.push_back({trip, n.distance});
      ++taken;
    }
  }
  // Copies of one stand together, those of another at the same distance may belong in between.
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), most));
  return all;
}

std::vector<Neighbour> with_copies(const DistinctTrips& distinct, std::size_t number,
                                   std::span<const Neighbour> near, std::size_t most) {
  std::vector<Neighbour> with_itself{{number, 0}};
  with_itself.insert(with_itself.end(), near.begin(), near.end());
  return with_copies(distinct, with_itself, most);
}

std::vector<Neighbour> without(std::size_t trip, std::vector<Neighbour> neighbours, std::size_t k) {
  std::erase_if(neighbours, [&](const Neighbour& n) { return n.index == trip; });
  neighbours.resize(std::min(neighbours.size(), k));
  return neighbours;
}

}  // namespace tsmini
