// Hit ratios of distances that somebody else predicted: all trips are queries against the others.
#pragma once

#include <span>

#include "tsmini/retrieval.h"

namespace tsmini::experiment {

// Both matrices are square and row-major; in a plan both are empty, and the score is of no query.
RetrievalScore score_of(std::span<const float> predicted, std::span<const float> truth);

}  // namespace tsmini::experiment
