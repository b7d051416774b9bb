// A perturbed copy of a trip: some points lost, some moved, as another device on the same way might
// have seen it.
#pragma once

#include <span>
#include <vector>

#include "tsmini/space.h"

#include "base/random.h"

namespace tsmini::rivals {

// Each point is lost with a chance that is itself drawn, from 0 to `most_lost`; of the others each
// is moved with chance `moved`, by a normal error of `error` metres on each axis. One point stays
// at least.
struct Perturbation {
  double most_lost = .4, moved = .2, error = 50;
};

std::vector<Planar> perturbed(std::span<const Planar> trip, const Perturbation& how,
                              Random& random);

}  // namespace tsmini::rivals
