// Whether a model may serve trips that are measured in another space than its own.
#pragma once

#include <optional>

#include "tsmini/model.h"
#include "tsmini/space.h"

namespace tsmini {

// The spaces must be of one kind, for the same coordinates. `zscore` needs the same numbers. Two
// `ground` spaces may have other centres where no length within the extent of the trips, or the box
// of the model where there are none yet, differs by more than 0.1 %. Otherwise throws
// Error(bad_input) that says how to train a model that fits.
void check_fit(const Model& model, const Space& space, const std::optional<Box>& extent);

}  // namespace tsmini
