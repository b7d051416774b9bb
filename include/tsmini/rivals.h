// What tsmini-rivals and those who run it agree on: which trips rivals learn from, and which data
// they cannot take. Linear in the trips, whose coordinates are not looked at.
//
//   check_fit_for_rivals(data, 1);  // before hours are spent
//   for (const std::size_t trip : trips_for_rivals(data)) use(data[trip]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini {

// Raised when a rival comes to learn otherwise: what was made before is not used any more.
inline constexpr int rival_revision = 2;

// The trips of the split. Throws Error(bad_input) where there are none, or one has more than 1,000
// points: rivals compare the points of a trip with each other, and memory grows with the square.
std::vector<std::size_t> trips_for_rivals(const Dataset& data);

// What a data set lacks can be told before hours are spent on other runs: throws as above, and
// where there are fewer than 12 trips to learn from, or to choose weights by: ten nearest of one,
// and one more.
void check_fit_for_rivals(const Dataset& data, std::uint64_t seed);

}  // namespace tsmini
