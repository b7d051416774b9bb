// Says before the work begins that a trip is long to embed, since its time grows with the square of
// its points.
#pragma once

#include <cstddef>
#include <span>

#include "tsmini/dataset.h"

#include "common/console.h"

namespace tsmini::cli {

// The longest of `indices`, or of all, where it has 10,000 points or more.
void note_long_trip(const Console& console, const Dataset& data,
                    std::span<const std::size_t> indices);
void note_long_trip(const Console& console, const Dataset& data);

}  // namespace tsmini::cli
