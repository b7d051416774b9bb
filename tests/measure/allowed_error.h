// How far from the scalar twin a distance may be, whatever the SIMD target. `extent` is the largest
// coordinate, relative to the base's origin.
#pragma once

#include <cstddef>

#include "tsmini/measure.h"

#include "measure/rounding.h"

namespace tsmini {

// In double precision seven measures have the twin's digits. Two multiply by a stored reciprocal
// where the twin divides, and the search of frechet-continuous begins at another bound
// (docs/decisions.md, "Double precision has the twin's digits").
inline double allowed_in_double(Measure measure, double truth, double extent) {
  switch (measure) {
    case Measure::frechet_continuous: return 1e-9 * truth + 1e-15 * extent;
    case Measure::hausdorff_segment:
    case Measure::sspd: return 1e-12 * truth + 1e-15 * extent;
    default: return 0;
  }
}

// `points` are those of both trajectories.
inline double allowed_in_single(Measure measure, double truth, double extent, std::size_t points) {
  switch (measure) {
    case Measure::frechet_continuous: return allowed_in_double(measure, truth, extent);
    case Measure::edr:
    case Measure::lcss:
      return 4 * unit_roundoff;  // whole numbers, divided
    // Where it branched, which may lead farther (matrix_test.cpp), but does not of so few pairs.
    case Measure::edwp: return 1e-2 * truth + unit_roundoff * extent;
    default: break;
  }
  const SingleError error = single_error(measure, extent, points);
  return error.relative * truth + error.absolute;
}

}  // namespace tsmini
