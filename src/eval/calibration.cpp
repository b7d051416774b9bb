#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "tsmini/evaluation.h"

namespace tsmini {
namespace {

// Of an even number, the mean of the two in the middle. Not for none.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace

double fit_scale(std::span<const float> predicted, std::span<const float> truth) {
  assert(predicted.size() == truth.size());
  std::vector<double> ratios;
  ratios.reserve(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double p = predicted[i], t = truth[i];
    if (p > 0 && t > 0 && std::isfinite(p) && std::isfinite(t)) ratios.push_back(t / p);
  }
  return ratios.empty() ? 1 : median_of(ratios);
}

double median_relative_error(std::span<const float> predicted, std::span<const float> truth,
                             double scale) {
  assert(predicted.size() == truth.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> errors;
  errors.reserve(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double p = scale * predicted[i], t = truth[i];
    if (t > 0 && std::isfinite(t)) errors.push_back(std::isnan(p) ? infinity : std::abs(p - t) / t);
  }
  return errors.empty() ? std::numeric_limits<double>::quiet_NaN() : median_of(errors);
}

}  // namespace tsmini
