#include "tsmini/calibration.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "score/median.h"

namespace tsmini {
namespace {

// The logarithm of each number; not finite where it has none, or is not finite itself.
std::vector<double> logarithms(std::span<const float> numbers) {
  std::vector<double> all(numbers.size());
  tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) {
    all[i] =
        numbers[i] > 0 ? double{std::log(numbers[i])} : -std::numeric_limits<double>::infinity();
  });
  return all;
}

// The slope of y over x by least squares; 1 where there is none above 0.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - mean_x) * (x[i] - mean_x);
    products += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return squares > 1e-12 * n && products > 0 ? products / squares : 1;
}

// The scale that goes with an exponent: the median of what it leaves.
double fitted_scale(double exponent, const std::vector<double>& x, std::vector<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] -= exponent * x[i];
  return std::exp(median(std::move(y)));
}

}  // namespace

Calibration fit_calibration(std::span<const float> predicted, std::span<const float> truth) {
  assert(predicted.size() == truth.size());
  std::vector<double> p = logarithms(predicted), t = logarithms(truth);
  std::size_t count = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!std::isfinite(p[i]) || !std::isfinite(t[i])) continue;
    p[count] = p[i];
    t[count] = t[i];
    ++count;
  }
  p.resize(count);
  t.resize(count);
  if (p.empty()) return {};
  const double exponent = slope_of(p, t), scale = fitted_scale(exponent, p, t);
  if (exponent > 0 && exponent <= Calibration::most_exponent && scale >= Calibration::least_scale &&
      scale <= Calibration::most_scale)
    return {scale, exponent};
  return {fitted_scale(1, p, std::move(t)), 1};  // of single precision, it is always in between
}

double median_relative_error(std::span<const float> predicted, std::span<const float> truth,
                             const Calibration& calibration) {
  assert(predicted.size() == truth.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> errors;
  errors.reserve(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double p = calibration(predicted[i]), t = truth[i];
    if (t > 0 && std::isfinite(t)) errors.push_back(std::isnan(p) ? infinity : std::abs(p - t) / t);
  }
  return errors.empty() ? std::numeric_limits<double>::quiet_NaN() : median(std::move(errors));
}

}  // namespace tsmini
