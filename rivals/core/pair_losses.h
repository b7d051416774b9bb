// Ways to choose pairs of training trips, and what is asked of them.
#pragma once

#include <cstdint>
#include <functional>

#include "tsmini/embedding.h"

#include "rivals/core/labels.h"
#include "rivals/core/rival.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// Distances of rows of a to rows of b, [a, b], with gradient. l1 and l2 alone.
Tensor distances_between(MetricKind metric, const Tensor& a, const Tensor& b);
// The same distances without gradient, for ranking: not by way of products, which lose digits.
Tensor exact_distances(MetricKind metric, const Tensor& a, const Tensor& b);
// Distances of each row of a to the row of b beside it: [rows].
Tensor distances_along(MetricKind metric, const Tensor& a, const Tensor& b);

// Mean squared error between the distances of embeddings of a batch and its labels, over all pairs.
Tensor all_pairs_loss(MetricKind metric, const Tensor& embedded, const Tensor& labels);
// Steps of an epoch of such batches, as this line of work counts: ceil((n / batch)²).
std::uint64_t all_pairs_steps(std::int64_t trips, std::int64_t batch);

// Passes over all trips, each in an order of its own, from torch's generator: the trips of one step
// after another.
class Passes {
 public:
  Passes(std::int64_t trips, std::int64_t batch) : trips_(trips), batch_(batch) {}

  std::uint64_t steps() const;  // of a pass: ceil(trips / batch)
  // The next trips: at most `batch` ids, the last of a pass fewer; int64, on the CPU.
  Tensor next();

 private:
  std::int64_t trips_, batch_, done_ = 0;
  Tensor order_;
};

// A similarity is exp(-alpha · label): 16 for measures that add up along a trip, whose labels are
// smaller, 8 for others.
double alpha_of(Measure measure);

// Learning from anchors in passes: `loss` is given those of a step.
Stage anchor_stage(Passes passes, std::uint64_t epochs, const Rival& rival, double rate,
                   std::function<Tensor(const Tensor& anchors)> loss);

// Partners of anchors, [anchors, count]: fewer than asked for where there are not so many.
struct Drawn {
  Tensor ids;     // int64, on the labels' device
  Tensor labels;  // between each and its anchor
};

// For each anchor `count` trips drawn without replacement by weight exp(-alpha · label), never the
// anchor; the nearest first. Nothing waits for the device.
Drawn draw_near(const Labels& labels, const Tensor& anchors, double alpha, std::int64_t count);

// Trips drawn as above, and as many drawn by one less that weight, the farthest first. NeuTraj's
// way.
struct NearAndFar {
  Drawn near, far;
};
NearAndFar draw_near_and_far(const Labels& labels, const Tensor& anchors, double alpha,
                             std::int64_t count);

// count, count - 1, …, 1, as shares of their sum over all anchors: [count].
Tensor rank_weights(std::int64_t anchors, std::int64_t count, const torch::TensorOptions& options);

// Squared errors of far pairs: only predictions on the wrong side count, which is above the truth,
// or, as released, below it.
Tensor far_errors(const Tensor& predicted, const Tensor& truth, bool far_below);

// NeuTraj's loss of pairs, [anchors, count] each: predicted and true similarities of near and of
// far pairs, errors weighted by rank.
Tensor weighted_loss(const Tensor& near, const Tensor& near_truth, const Tensor& far,
                     const Tensor& far_truth, bool far_below);

}  // namespace tsmini::rivals
