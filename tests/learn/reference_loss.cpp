#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/reference_net.h"

namespace tsmini {
namespace {

double distance_between(const EmbeddingMetric& metric, const Vector& a, const Vector& b) {
  double sum = 0, squares = 0, largest = 0, grouped = 0, largest_of_group = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double difference = std::abs(a[c] - b[c]);
    sum += difference;
    squares += difference * difference;
    largest = std::max(largest, difference);
    largest_of_group = std::max(c % metric.group == 0 ? 0.0 : largest_of_group, difference);
    if ((c + 1) % metric.group == 0) grouped += largest_of_group;
  }
  switch (metric.kind) {
    case MetricKind::l1: return sum;
    case MetricKind::l2: return std::sqrt(squares);
    case MetricKind::linf: return largest;
    case MetricKind::chebyshev: return grouped;
  }
  return 0;
}

// The ranking loss of one list. x and y: predicted and true similarities, not negative.
double rank_list(const Vector& x, const Vector& y, std::size_t k, double slope) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] > x[b]; });
  Vector best = y;
  std::sort(best.begin(), best.end(), std::greater<>());
  double max_dcg = 0;
  for (std::size_t r = 0; r < k; ++r)
    max_dcg += (std::pow(2.0, best[r]) - 1) / std::log2(static_cast<double>(r + 2));
  double loss = 0;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const double yi = y[order[i]], yj = y[order[j]];
      if (!(yi > yj)) continue;
      const double gap = std::abs(static_cast<double>(i) - static_cast<double>(j));
      const double delta = 1 / std::log2(gap + 1) - 1 / std::log2(gap + 2);
      const double gain = (std::pow(2.0, yi) - std::pow(2.0, yj)) / max_dcg;
      const double sigma = 1 / (1 + std::exp(-slope * (x[order[i]] - x[order[j]])));
      loss -= delta * gain * std::log2(sigma);
    }
  }
  return loss;
}

}  // namespace

Matrix reference_distances(const EmbeddingMetric& metric, const Matrix& embeddings) {
  Matrix distances;
  for (const Vector& a : embeddings) {
    distances.emplace_back();
    for (const Vector& b : embeddings) distances.back().push_back(distance_between(metric, a, b));
  }
  return distances;
}

double reference_squared_error(const Matrix& predicted, const Matrix& truth, double focus) {
  double pairs = 0, mean_p = 0, mean_t = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t j = i + 1; j < truth.size(); ++j) {
      pairs += 1;
      mean_p += predicted[i][j];
      mean_t += truth[i][j];
    }
  }
  mean_p /= pairs;
  mean_t /= pairs;
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t j = i + 1; j < truth.size(); ++j) {
      const double t = truth[i][j], error = predicted[i][j] * mean_t / mean_p - t;
      sum += std::pow(std::max(1 - t, 0.0), focus) * error * error;
    }
  }
  return sum / pairs;
}

double reference_rank_loss(const Matrix& predicted, const Matrix& truth,
                           const LossSettings& settings) {
  const std::size_t list = truth.size() - 1;
  const std::size_t k = settings.k == 0 ? list : std::min(settings.k, list);
  double loss = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    Vector x, y;
    for (std::size_t j = 0; j < truth.size(); ++j) {
      if (j == i) continue;
      x.push_back(-predicted[i][j]);
      y.push_back(-truth[i][j]);
    }
    const double least_x = *std::min_element(x.begin(), x.end());
    const double least_y = *std::min_element(y.begin(), y.end());
    for (double& value : x) value -= least_x;
    for (double& value : y) value -= least_y;
    loss += rank_list(x, y, k, settings.slope);
  }
  return settings.rank_mean ? loss / static_cast<double>(truth.size()) : loss;
}

double reference_loss(const Matrix& predicted, const Matrix& truth, double largest,
                      const LossSettings& settings) {
  Matrix share = truth;
  for (Vector& row : share) {
    for (double& value : row) value /= largest;
  }
  return settings.lambda * 100 * reference_squared_error(predicted, share, settings.focus) +
         (1 - settings.lambda) * reference_rank_loss(predicted, share, settings);
}

}  // namespace tsmini
