#include "rivals/core/pair_losses.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "rivals/plain.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

// `trips` at places of a line from 0 to 1, with the distances between them.
Labels on_a_line(std::int64_t trips) {
  const Tensor places = torch::linspace(0, 1, trips);
  return {Measure::frechet, PlanarSet({{0, 0}}, {0, 1}),
          (places.unsqueeze(0) - places.unsqueeze(1)).abs(), 1};
}

TEST(PairLosses, DistancesAreThoseOfTheMetric) {
  torch::manual_seed(1);
  const Tensor a = torch::randn({4, 8}), b = torch::randn({4, 8});
  const Rows p = plain::rows_of(a), q = plain::rows_of(b);
  const Tensor one = distances_between(MetricKind::l1, a, b);
  const Tensor two = distances_between(MetricKind::l2, a, b);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      double sum = 0, squares = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        sum += std::abs(p[i][k] - q[j][k]);
        squares += (p[i][k] - q[j][k]) * (p[i][k] - q[j][k]);
      }
      const auto x = static_cast<int>(i), y = static_cast<int>(j);
      EXPECT_NEAR(one[x][y].item<double>(), sum, 1e-5);
      EXPECT_NEAR(two[x][y].item<double>(), std::sqrt(squares), 1e-5);
    }
  }
  EXPECT_TRUE(torch::allclose(distances_along(MetricKind::l1, a, b), one.diagonal()));
  EXPECT_TRUE(torch::allclose(distances_along(MetricKind::l2, a, b), two.diagonal()));
}

TEST(PairLosses, EqualRowsHaveAGradient) {
  for (const MetricKind metric : {MetricKind::l1, MetricKind::l2}) {
    const Tensor a = torch::ones({2, 8}, torch::requires_grad());
    distances_between(metric, a, a.detach()).sum().backward();
    EXPECT_TRUE(a.grad().isfinite().all().item<bool>());
  }
}

TEST(PairLosses, AllPairsCountOnce) {
  const Tensor rows = torch::tensor({{0.F, 0.F}, {1.F, 2.F}, {4.F, 0.F}});
  const Tensor labels = torch::tensor({{0.F, 1.F, 2.F}, {1.F, 0.F, 3.F}, {2.F, 3.F, 0.F}});
  // Distances 3, 4 and 5 by l1.
  EXPECT_NEAR(all_pairs_loss(MetricKind::l1, rows, labels).item<double>(), (4 + 4 + 4) / 3.0, 1e-6);
  EXPECT_EQ(all_pairs_steps(7000, 128), 2991U);
  EXPECT_EQ(all_pairs_steps(7000, 256), 748U);
}

TEST(PairLosses, PassesGoOverAllTrips) {
  torch::manual_seed(1);
  Passes passes(10, 4);
  EXPECT_EQ(passes.steps(), 3U);
  std::set<std::vector<std::int64_t>> orders;
  for (int pass = 0; pass < 3; ++pass) {
    std::vector<std::int64_t> order;
    for (const std::int64_t size : {4, 4, 2}) {
      const Tensor ids = passes.next();
      EXPECT_EQ(ids.numel(), size);
      for (std::int64_t i = 0; i < size; ++i) order.push_back(ids[i].item<std::int64_t>());
    }
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 10U);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 3U);
}

TEST(PairLosses, DrawsDifferentPartnersInOrder) {
  torch::manual_seed(1);
  const Labels labels = on_a_line(30);
  const Tensor anchors = torch::tensor({3, 29, 0}, torch::kLong);
  const auto [near, far] = draw_near_and_far(labels, anchors, 8, 10);
  for (int a = 0; a < 3; ++a) {
    const auto anchor = anchors[a].item<std::int64_t>();
    for (const bool falling : {false, true}) {
      const Drawn& side = falling ? far : near;
      std::set<std::int64_t> seen{anchor};
      double before = side.labels[a][0].item<double>();
      for (int rank = 0; rank < 10; ++rank) {
        const auto id = side.ids[a][rank].item<std::int64_t>();
        EXPECT_TRUE(seen.insert(id).second) << "twice, or the anchor";
        const double label = side.labels[a][rank].item<double>();
        EXPECT_EQ(label, labels.matrix[anchor][id].item<double>());
        EXPECT_TRUE(falling ? label <= before : label >= before);
        before = label;
      }
    }
  }
}

// How often each of the others is drawn, where one is drawn.
TEST(PairLosses, DrawsByWeight) {
  torch::manual_seed(1);
  const Labels labels = on_a_line(6);
  constexpr std::int64_t draws = 40'000;
  const auto [near, far] = draw_near_and_far(labels, torch::zeros({draws}, torch::kLong), 3, 1);
  Row near_weight, far_weight;
  double near_sum = 0, far_sum = 0;
  for (int i = 1; i < 6; ++i) {
    near_sum += near_weight.emplace_back(std::exp(-3 * i / 5.0));
    far_sum += far_weight.emplace_back(1 - std::exp(-3 * i / 5.0));
  }
  const auto shares = [](const Drawn& side) {
    return plain::row_of(torch::bincount(side.ids.flatten(), {}, 6).to(torch::kDouble) / draws);
  };
  const Row of_near = shares(near), of_far = shares(far);
  EXPECT_EQ(of_near[0] + of_far[0], 0);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_NEAR(of_near[i], near_weight[i - 1] / near_sum, .01);
    EXPECT_NEAR(of_far[i], far_weight[i - 1] / far_sum, .01);
  }
}

TEST(PairLosses, DrawsTheSameFromTheSameSeed) {
  const Labels labels = on_a_line(30);
  const auto drawn = [&] {
    torch::manual_seed(4);
    return draw_near(labels, torch::arange(30), 8, 20).ids;
  };
  EXPECT_TRUE(torch::equal(drawn(), drawn()));
}

TEST(PairLosses, DrawsWhateverThereIs) {
  // Fewer than asked for.
  const auto [near, far] = draw_near_and_far(on_a_line(4), torch::arange(4), 8, 10);
  EXPECT_EQ(near.ids.size(1), 3);
  EXPECT_EQ(far.ids.size(1), 3);
  // Nothing is far, or all is so far that no weight is left.
  for (const double distance : {0.0, 1e4}) {
    Labels labels = on_a_line(5);
    labels.matrix = torch::full({5, 5}, distance, torch::kFloat);
    const NearAndFar drawn = draw_near_and_far(labels, torch::arange(5), 16, 4);
    for (const Drawn& side : {drawn.near, drawn.far})
      EXPECT_FALSE((side.ids == torch::arange(5).unsqueeze(1)).any().item<bool>());
  }
}

TEST(PairLosses, WeighsErrorsByRank) {
  const Tensor near = torch::tensor({{.5F, .2F}, {.9F, .4F}});
  const Tensor near_truth = torch::tensor({{.6F, .2F}, {.6F, .8F}});
  const Tensor far = torch::tensor({{.3F, .1F}, {.5F, .2F}});
  const Tensor far_truth = torch::tensor({{.1F, .4F}, {.6F, .2F}});
  const double of_near = (2 * .01 + 0 + 2 * .09 + .16) / 6;
  EXPECT_NEAR(weighted_loss(near, near_truth, far, far_truth, false).item<double>(),
              of_near + 2 * .04 / 6, 1e-6);
  EXPECT_NEAR(weighted_loss(near, near_truth, far, far_truth, true).item<double>(),
              of_near + (.09 + 2 * .01) / 6, 1e-6);
}

}  // namespace
}  // namespace tsmini::rivals
