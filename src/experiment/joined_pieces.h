// Long trips from the pieces an import cut recordings into.
//
// A recording with pauses becomes pieces "003_20090117010736_1", "…_2" and so on. Set end to end
// again they make trips of many points that somebody really travelled.
//
//   const Dataset rides = joined_pieces(data, 400, 800, seed);
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsmini/dataset.h"

namespace tsmini::experiment {

// Trips of `fewest` to `most` points. A run of pieces whose numbers follow each other without a gap
// is consumed from its beginning: each trip takes pieces for as long as they fit into `most`
// points, and is dropped where it ends with less than `fewest`. So is a piece that is too long by
// itself. A point where two pieces meet is kept once. Where times go backwards, or only one of two
// pieces has any, they are not neighbours. A trip whose id ends in no number is alone.
//
// Joined trips are named "003_20090117010736_1-4", stand in the order of recordings and numbers,
// and are split anew: seven tenths train, one validation and two test, by seeded draw. No piece is
// in two of them. Linear, but for a sort of the ids.
// Throws Error(usage) where fewest > most.
Dataset joined_pieces(const Dataset& data, std::size_t fewest, std::size_t most,
                      std::uint64_t seed);

}  // namespace tsmini::experiment
