// What every verb says of data that lies far out in its space (tsmini/reach.h).
//
//   check_reach(console, model.space, data, indices, "city.tsd");
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/space.h"

#include "common/console.h"

namespace tsmini::cli {

// Says where distances are noticeably too long. Throws Error(bad_input) naming the file where they
// are beyond use.
void check_reach(const Console& console, const Space& space, const Dataset& data,
                 std::span<const std::size_t> indices, const std::string& file);

// Only says it, of the first `count` trips: for what a collection refuses or leaves out by itself.
void note_reach(const Console& console, const Space& space, const Dataset& data, std::size_t count,
                const std::string& file);

}  // namespace tsmini::cli
