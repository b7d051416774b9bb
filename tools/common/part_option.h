// --part: of which part of a data set's split a verb speaks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini::cli {

// Nothing for an empty name. Throws Error(usage) that lists the parts.
std::optional<Part> part_from(std::string_view name);

// The trajectories of a part, or all of them. Throws Error(bad_input) naming `file` where there are
// none.
std::vector<std::size_t> selected(const Dataset& data, const std::optional<Part>& part,
                                  const std::string& file);

}  // namespace tsmini::cli
