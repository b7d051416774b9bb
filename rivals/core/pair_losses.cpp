#include "rivals/core/pair_losses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tsmini::rivals {
namespace {

constexpr double tiny = 1e-12;          // under roots, whose gradient has no value at 0
constexpr double least_weight = 1e-30;  // a trip at distance 0 may be far where there is no other

// Labels between anchors and all trips.
struct AnchorRows {
  Tensor anchors;  // [anchors, 1]
  Tensor labels;   // [anchors, trips]

  AnchorRows(const Labels& all, const Tensor& ids)
      : anchors(ids.to(all.matrix.device()).unsqueeze(1)),
        labels(all.matrix.index_select(0, anchors.squeeze(1))) {}

  // Draws without replacement by weight as a race: the time of each is exponential, its weight the
  // rate; the first to arrive are drawn. In falling or rising order of labels.
  Drawn race(const Tensor& log_weights, std::int64_t count, bool falling) const {
    const Tensor times = torch::empty_like(log_weights).exponential_().log_();
    const Tensor speeds =
        (log_weights - times).scatter_(1, anchors, -std::numeric_limits<float>::infinity());
    const Tensor first =
        std::get<1>(speeds.topk(std::min(count, labels.size(1) - 1), 1, true, false));
    const auto [sorted, order] = labels.gather(1, first).sort(1, falling);
    return {first.gather(1, order), sorted};
  }
};

}  // namespace

Tensor distances_between(MetricKind metric, const Tensor& a, const Tensor& b) {
  if (metric == MetricKind::l1) return torch::cdist(a, b, 1);
  const Tensor difference = a.unsqueeze(1) - b.unsqueeze(0);
  return difference.square().sum(2).add(tiny).sqrt();
}

Tensor exact_distances(MetricKind metric, const Tensor& a, const Tensor& b) {
  const torch::NoGradGuard no_grad;
  return torch::cdist(a, b, metric == MetricKind::l1 ? 1 : 2, 2);
}

Tensor distances_along(MetricKind metric, const Tensor& a, const Tensor& b) {
  if (metric == MetricKind::l1) return (a - b).abs().sum(-1);
  return (a - b).square().sum(-1).add(tiny).sqrt();
}

Tensor all_pairs_loss(MetricKind metric, const Tensor& embedded, const Tensor& labels) {
  const std::int64_t n = embedded.size(0);
  const Tensor above = torch::ones({n, n}, labels.options()).triu(1);
  const Tensor error = (distances_between(metric, embedded, embedded) - labels) * above;
  return error.square().sum() / (static_cast<double>(n * (n - 1)) / 2);
}

std::uint64_t all_pairs_steps(std::int64_t trips, std::int64_t batch) {
  const double batches = static_cast<double>(trips) / static_cast<double>(batch);
  return static_cast<std::uint64_t>(std::ceil(batches * batches));
}

std::uint64_t Passes::steps() const {
  return static_cast<std::uint64_t>((trips_ + batch_ - 1) / batch_);
}

Tensor Passes::next() {
  if (!order_.defined() || done_ == trips_) {
    order_ = torch::randperm(trips_, torch::kLong);
    done_ = 0;
  }
  const std::int64_t count = std::min(batch_, trips_ - done_);
  done_ += count;
  return order_.narrow(0, done_ - count, count);
}

double alpha_of(Measure measure) {
  const bool sums = measure == Measure::dtw || measure == Measure::edwp || measure == Measure::erp;
  return sums ? 16 : 8;
}

Stage anchor_stage(Passes passes, std::uint64_t epochs, const Rival& rival, double rate,
                   std::function<Tensor(const Tensor&)> loss) {
  return {.steps = epochs * passes.steps(),
          .groups = {{rival.parameters()}},
          .loss = [passes, loss = std::move(loss)]() mutable { return loss(passes.next()); },
          .rate = [=](double) { return rate; }};
}

Drawn draw_near(const Labels& labels, const Tensor& anchors, double alpha, std::int64_t count) {
  const torch::NoGradGuard no_grad;
  const AnchorRows rows(labels, anchors);
  return rows.race(rows.labels * -alpha, count, false);
}

NearAndFar draw_near_and_far(const Labels& labels, const Tensor& anchors, double alpha,
                             std::int64_t count) {
  const torch::NoGradGuard no_grad;
  const AnchorRows rows(labels, anchors);
  const Tensor near = rows.labels * -alpha;
  const Tensor far = near.expm1().neg().clamp_min(least_weight).log();
  return {rows.race(near, count, false), rows.race(far, count, true)};
}

Tensor rank_weights(std::int64_t anchors, std::int64_t count, const torch::TensorOptions& options) {
  const double sum = static_cast<double>(anchors * count * (count + 1)) / 2;
  return torch::arange(count, 0, -1, options) / sum;
}

Tensor far_errors(const Tensor& predicted, const Tensor& truth, bool far_below) {
  return torch::relu(far_below ? truth - predicted : predicted - truth).square();
}

Tensor weighted_loss(const Tensor& near, const Tensor& near_truth, const Tensor& far,
                     const Tensor& far_truth, bool far_below) {
  const Tensor errors = (near - near_truth).square() + far_errors(far, far_truth, far_below);
  return (rank_weights(near.size(0), near.size(1), near.options()) * errors).sum();
}

}  // namespace tsmini::rivals
