// Predicted distances made comparable to true ones: scale · predicted^exponent
// (tsmini/embedding.h).
//
//   const Calibration calibration = fit_calibration(predicted, truth);
//   std::cout << median_relative_error(predicted, truth, calibration);
#pragma once

#include <span>

#include "tsmini/embedding.h"

namespace tsmini {

// The exponent by least squares between the logarithms, then the scale by the median of what is
// left, over pairs with predicted > 0 and truth > 0. The exponent is 1 where predictions do not
// differ or fall while truth rises, the scale 1 where there are no such pairs.
Calibration fit_calibration(std::span<const float> predicted, std::span<const float> truth);
// The median of |calibrated - truth| / truth over pairs with truth > 0; NaN where there are none.
double median_relative_error(std::span<const float> predicted, std::span<const float> truth,
                             const Calibration& calibration);

}  // namespace tsmini
