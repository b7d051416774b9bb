// Trips as a worse receiver would report them: with points missing and in the wrong place.
//
// How well does a model find a trip whose report is poor? Each trip draws from a random stream of
// its own index in the data, so that it does not depend on which others are damaged with it.
//
//   const Dataset queries = degraded(data, data.indices_of(Part::test), {.masked = 0.2},
//                                    model.frame, seed);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsmini/dataset.h"
#include "tsmini/model.h"

namespace tsmini::experiment {

struct Damage {
  double masked = 0;   // share of a trip's points that are left out, from 0 to 1; two remain
  double shifted = 0;  // metres each point is moved, in a direction of its own
};

// The trips `indices`, in that order and marked test. Points that remain keep their order and
// times. Where data is planar, `shifted` is in its unit. A point outside the frame, moved there or
// there before, is set just within its border. Linear in the points.
// Throws Error(usage) for a share outside [0, 1] and for metres that are negative or not finite.
Dataset degraded(const Dataset& data, std::span<const std::size_t> indices, const Damage& damage,
                 const FeatureFrame& frame, std::uint64_t seed);

}  // namespace tsmini::experiment
