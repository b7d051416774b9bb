// Predicted distances made comparable to true ones: scale · predicted^exponent.
//
//   const Calibration calibration = fit_calibration(predicted, truth);
//   std::cout << median_relative_error(predicted, truth, calibration);
#pragma once

#include <cmath>
#include <span>

namespace tsmini {

// What a distance of embeddings tells of the true one: scale · distance^exponent. Learning to rank
// keeps the order and distorts the distances themselves; this undoes it.
struct Calibration {
  // What a model can have: an exponent above 0 and up to this, a scale from the least to the most.
  static constexpr double most_exponent = 32, least_scale = 1e-100, most_scale = 1e100;

  double scale = 1;
  double exponent = 1;

  double operator()(double distance) const { return scale * std::pow(distance, exponent); }
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

// The exponent by least squares between the logarithms, then the scale by the median of what is
// left, over pairs with predicted > 0 and truth > 0. The exponent is 1 where predictions do not
// differ or fall while truth rises, and where a model could not have what fits best; the scale is 1
// where there are no such pairs.
Calibration fit_calibration(std::span<const float> predicted, std::span<const float> truth);
// The median of |calibrated - truth| / truth over pairs with truth > 0; NaN where there are none.
double median_relative_error(std::span<const float> predicted, std::span<const float> truth,
                             const Calibration& calibration);

}  // namespace tsmini
