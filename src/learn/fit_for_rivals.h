// What rivals ask of a data set, so that it can be told before hours are spent on other runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini::learn {

// The trips of the split. Throws Error(bad_input) where there are none, or one has more than 1,000
// points: rivals compare the points of a trip with each other, and memory grows with the square.
std::vector<std::size_t> trips_for_rivals(const Dataset& data);

// Throws as above, and where there are fewer than 12 trips to learn from, or to choose weights by:
// ten nearest of one, and one more.
void check_fit_for_rivals(const Dataset& data, std::uint64_t seed);

}  // namespace tsmini::learn
