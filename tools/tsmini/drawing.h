// Maps as the verbs draw them: one way for all, and the same notes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tsmini/map.h"

#include "common/console.h"

namespace tsmini::cli {

// The trips under the lines of a map: the data set itself where all are wanted.
Dataset ground_of(const Dataset& data, std::span<const std::size_t> indices);

// Says where it went, and what it cannot show.
void draw_to(const std::string& file, const Map& map, const Console& console);

}  // namespace tsmini::cli
