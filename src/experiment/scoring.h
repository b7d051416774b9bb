// Hit ratios of distances that somebody else predicted: all trips are queries against the others.
#pragma once

#include <span>

#include "tsmini/retrieval.h"

namespace tsmini::experiment {

// Both are square and row-major. Nothing where there are none, as in a plan.
RetrievalScore score_of(std::span<const float> predicted, std::span<const float> truth);

}  // namespace tsmini::experiment
