#include "rivals/kgts/kgts.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "rivals/kgts/grot.h"
#include "rivals/kgts/views.h"
#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

// The kind, with cell vectors drawn rather than learned, where nothing depends on them.
RivalKind quick_kind() {
  RivalKind kind = kgts_kind();
  kind.add_ground = [](Ground& ground, const City&, const Settings&, const Progress&) {
    const auto cells = static_cast<std::int64_t>(ground.cells.known().size());
    ground.tensors["vectors"] = .2 * torch::randn({cells, dimension});
  };
  return kind;
}

// From the formulas alone.
Row expected(const Small& small, std::span<const Planar> trip) {
  const plain::Weights weights(*small.rival);
  const Rows vectors = plain::rows_of(small.ground.tensors.at("vectors"));
  const Cells& cells = small.ground.cells;
  const Statistics& s = small.ground.statistics;
  Rows x;
  std::int64_t last = -1;
  for (const Planar& point : trip) {
    if (cells.number_at(point) == last) continue;
    last = cells.number_at(point);
    const auto row = static_cast<std::size_t>(cells.row_at(point));
    const Planar centre = cells.centre_of(cells.known()[row]);
    const Row place{(centre.x - s.mean_x) / s.deviation_x, (centre.y - s.mean_y) / s.deviation_y};
    const Row prompt = plain::plus(
        plain::linear(weights.matrix("prompt.weight"), place, weights.vector("prompt.bias")),
        weights.vector("common"));
    x.push_back(plain::plus(vectors[row], prompt));
  }
  const auto degree = [&](std::size_t i) {
    return 1.0 + (i > 0 ? 1 : 0) + (i + 1 < x.size() ? 1 : 0);
  };
  Rows y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Row around(128);
    for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, x.size()); ++j)
      around = plain::plus(around, plain::scaled(x[j], 1 / std::sqrt(degree(i) * degree(j))));
    Row seen = plain::linear(weights.matrix("convolution.weight"), around,
                             weights.vector("convolution.bias"));
    for (double& value : seen) value = std::max(value, 0.0);
    y.push_back(plain::plus(x[i], seen));
  }
  return plain::plus(plain::gru(weights, "gru", y).back(), plain::mean(y));
}

TEST(Kgts, EmbedsAsItsFormulasSay) {
  const Small small = small_rival(quick_kind());
  {
    const torch::NoGradGuard no_grad;
    small.rival->named_parameters()["common"].normal_();
  }
  expect_embeddings(small, odd_trips(small.city.all),
                    [&](std::span<const Planar> trip) { return expected(small, trip); });
}

TEST(Kgts, CellVectorsAreFrozenAndAllElseLearns) {
  const Small small = small_rival(quick_kind());
  EXPECT_EQ(small.rival->parameter_count(), 116'096U);
  EXPECT_EQ(small.rival->metric().kind, MetricKind::l2);
  small.rival->pretraining(small.city.train)->loss().backward();
  for (const auto& item : small.rival->named_parameters())
    EXPECT_GT(item.value().grad().abs().max().item<double>(), 0) << item.key();
  EXPECT_FALSE(small.rival->training(training_set(*small.rival, small.city.train, Measure::dtw)));
}

TEST(Kgts, ContrastIsOfDistancesEitherWay) {
  torch::manual_seed(1);
  const Tensor a = torch::randn({4, 6}), b = torch::randn({4, 6});
  const Rows left = plain::rows_of(a), right = plain::rows_of(b);
  const auto alike = [&](std::size_t i, std::size_t j) {
    double squares = 0;
    for (std::size_t k = 0; k < left[i].size(); ++k)
      squares += (left[i][k] - right[j][k]) * (left[i][k] - right[j][k]);
    return std::sqrt(squares) / -.3;
  };
  double want = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double row = 0, column = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      row += std::exp(alike(i, j));
      column += std::exp(alike(j, i));
    }
    want -= std::log(std::exp(alike(i, i)) / row) + std::log(std::exp(alike(i, i)) / column);
  }
  EXPECT_NEAR(pair_contrast(a, b, .3).item<double>(), want / 8, 1e-5);
}

TEST(Kgts, ViewsLoseAndMovePoints) {
  const std::vector<Planar> trip(1000, {0, 0});
  Random random(1);
  double lost = 0, most = 0, moved = 0, squares = 0, kept = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<Planar> view = perturbed(trip, {}, random);
    const double share = 1 - static_cast<double>(view.size()) / 1000;
    lost += share / 100;
    most = std::max(most, share);
    for (const Planar& point : view) {
      ++kept;
      if (point.x == 0 && point.y == 0) continue;
      ++moved;
      squares += point.x * point.x + point.y * point.y;
    }
  }
  EXPECT_NEAR(lost, .2, .03);
  EXPECT_NEAR(most, .4, .05);
  EXPECT_NEAR(moved / kept, .2, .01);
  EXPECT_NEAR(std::sqrt(squares / moved / 2), 50, 1);
  const std::vector<Planar> one(1, {3, 4});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(perturbed(one, {}, random).size(), 1U);
}

PlanarSet fresh_views(const PlanarSet& trips) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  Random random(99);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const std::vector<Planar> view = perturbed(trips[i], {}, random);
    points.insert(points.end(), view.begin(), view.end());
    offsets.push_back(points.size());
  }
  return {points, offsets};
}

struct Found {
  double nearest;  // the share of trips whose fresh view has them as its nearest
  double loss;     // of trips and fresh views
};
Found found_again(const Small& small) {
  const Tensor rows = embeddings(*small.rival, small.rival->prepare(small.city.all));
  const Tensor views = embeddings(*small.rival, small.rival->prepare(fresh_views(small.city.all)));
  const Tensor nearest = torch::cdist(views, rows).argmin(1);
  const Tensor right = nearest == torch::arange(nearest.size(0));
  return {right.to(torch::kFloat).mean().item<double>(),
          pair_contrast(rows, views, .3).item<double>()};
}

// Trips of a small city are far enough apart that places alone tell them from each other: nearest
// ones are right from the start. How clearly so, the loss tells.
TEST(Kgts, TellsTripsApart) {
  RivalKind kind = kgts_kind();
  kind.add_ground = [](Ground& ground, const City&, const Settings&, const Progress&) {
    ground.tensors["vectors"] = learn_grot(ground.cells, {.epochs = 1}, torch::kCPU).cells;
  };
  const Small small = small_rival(kind);
  const Found before = found_again(small);
  const std::optional<Stage> stage = small.rival->pretraining(small.city.train);
  train(*small.rival, *stage, {.steps = 60}, {}, {});
  const Found after = found_again(small);
  EXPECT_GE(after.nearest, .9);
  EXPECT_GT(before.loss, .05);
  EXPECT_LT(after.loss, before.loss / 4);
}

}  // namespace
}  // namespace tsmini::rivals
