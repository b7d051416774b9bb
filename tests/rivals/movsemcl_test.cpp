#include "rivals/movsemcl/movsemcl.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "rivals/contrastive.h"
#include "rivals/plain.h"
#include "rivals/small_city.h"

namespace tsmini::rivals {
namespace {

using plain::Row;
using plain::Rows;

// Means of four tokens each, the last of fewer, after a layer of their own.
Rows patches_of(const plain::Weights& weights, const std::string& layer, const Rows& x) {
  Rows out;
  for (std::size_t from = 0; from < x.size(); from += 4) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(from);
    const Rows some(begin,
                    begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, x.size() - from)));
    out.push_back(plain::mean(plain::encoder_layer(weights, layer, some, 4)));
  }
  return out;
}

void add_places(Rows& x, const Rows& places) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = plain::plus(x[i], places[std::min<std::size_t>(i, 200)]);
}

// From the formulas alone.
Row expected(const Small& small, std::span<const Planar> trip) {
  const plain::Weights weights(*small.rival);
  const PlanarBox& box = small.ground.cells.box();
  const auto [kept, vectors] = collapsed(small, trip);
  Rows moves{Row(4)};
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const double ax = kept[i - 1].x - kept[i].x, ay = kept[i - 1].y - kept[i].y;
    Row row{-ax / (box.high.x - box.low.x), -ay / (box.high.y - box.low.y), 0, 0};
    if (i + 1 < kept.size()) {
      const double bx = kept[i + 1].x - kept[i].x, by = kept[i + 1].y - kept[i].y;
      row[2] =
          (std::sqrt(ax * ax + ay * ay) + std::sqrt(bx * bx + by * by)) / 2 / (11 * 100 / 1.414);
      constexpr double pi = std::numbers::pi;
      row[3] = 1 - std::abs(pi - std::atan2(ax, ay) + std::atan2(bx, by)) / pi;
    }
    moves.push_back(row);
  }
  Rows spatial = patches_of(weights, "encoder.spatial_patch", moves);
  add_places(spatial, weights.matrix("encoder.spatial_places"));
  Rows seen;
  for (int i = 0; i < 3; ++i) {
    seen.clear();
    spatial = plain::encoder_layer(weights, "encoder.spatial", spatial, 1, {}, &seen);
  }
  const double share = 10 * plain::sigmoid(weights.vector("encoder.bias.gamma").front());
  for (Row& row : seen) row = plain::scaled(row, share);
  Rows x = patches_of(weights, "encoder.patch", vectors);
  add_places(x, weights.matrix("encoder.places"));
  for (int i = 0; i < 2; ++i)
    x = plain::encoder_layer(weights, "encoder.structural_" + std::to_string(i), x, 4, seen);
  return headed(weights, plain::mean(x));
}

Small small_movsemcl() {
  Small small = small_rival(quick(movsemcl_kind()), {}, 24);
  const torch::NoGradGuard no_grad;
  small.rival->named_parameters()["encoder.bias.gamma"].fill_(-.7);
  return small;
}

TEST(Movsemcl, EmbedsAsItsFormulasSay) {
  const Small small = small_movsemcl();
  expect_embeddings(small, odd_trips(small.city),
                    [&](std::span<const Planar> trip) { return expected(small, trip); });
}

TEST(Movsemcl, PatchesBeyondTheLastPlaceShareIt) {
  const Small small = small_movsemcl();
  const auto some = small.city.all[0];
  std::vector<Planar> points;
  for (int i = 0; i < 830; ++i) points.push_back({some[0].x + 150 * (i % 9), some[0].y});
  const std::uint64_t length = points.size();
  const PlanarSet trip(std::move(points), {0, length});
  ASSERT_GT(runs_of(small.ground.cells, trip[0]).size(), 804U);
  const Tensor rows = embeddings(*small.rival, small.rival->prepare(trip));
  EXPECT_LT(plain::difference(plain::row_of(rows[0]), expected(small, trip[0])), 1e-5);
}

TEST(Movsemcl, HasTheParametersOfThePaper) {
  EXPECT_EQ(small_rival(quick(movsemcl_kind()), {}, 8).rival->parameter_count(), 1'857'549U);
}

// Cell vectors are no parameters.
TEST(Movsemcl, GradientReachesEverything) {
  const Small small = small_rival(quick(movsemcl_kind()), {}, 8);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->training(set)->loss().backward();
  for (const auto& item : small.rival->named_parameters()) {
    const Tensor gradient = item.value().grad();
    EXPECT_TRUE(gradient.defined() && gradient.abs().sum().item<float>() > 0) << item.key();
    EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << item.key();
    EXPECT_EQ(item.key().find("vectors"), std::string::npos);
  }
}

TEST(Movsemcl, OtherTripsDoNotMatter) {
  EXPECT_LT(company(movsemcl_kind(), {}), 1e-6);
  EXPECT_GT(company(movsemcl_kind(), {.released = {"mixed-attention"}}), 1e-5);
  EXPECT_GT(company(movsemcl_kind(), {.released = {"float-mask"}}), 1e-5);
  EXPECT_GT(company(movsemcl_kind(), {.released = {"float-mask", "mixed-attention"}}), 1e-5);
}

TEST(Movsemcl, DistancesHaveAUnit) {
  EXPECT_LT(unit_error(movsemcl_kind(), {}, 2 * std::sqrt(128 / std::numbers::pi)), 1e-5);
  EXPECT_LT(unit_error(movsemcl_kind(), {.released = {"unscaled"}}, 1), 1e-5);
}

TEST(Movsemcl, ViewsDropStraightPointsFirst) {
  const std::vector<Planar> trip{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 0}, {2, 0}};
  const std::vector<double> weights = Movsemcl::drop_weights(trip);
  const std::vector<double> expected{.2, .9, .7, .5, .9, .2};
  for (std::size_t i = 0; i < trip.size(); ++i) EXPECT_NEAR(weights[i], expected[i], 1e-12);

  const Small small = small_rival(quick(movsemcl_kind()), {}, 8);
  const auto& rival = dynamic_cast<const Movsemcl&>(*small.rival);
  Random random(1);
  // One of four points is dropped: by weight.
  const std::vector<Planar> four{{0, 0}, {1, 0}, {2, 0}, {2, 1}};
  std::array<int, 4> dropped{};
  constexpr int rounds = 4000;
  for (int i = 0; i < rounds; ++i) {
    const auto [first, second] = rival.views_of(four, random);
    ASSERT_EQ(first.size(), 3U);
    ASSERT_EQ(second.size(), 3U);
    for (std::size_t p = 0; p < 4; ++p)
      dropped[p] += std::none_of(first.begin(), first.end(), [&](const Planar& point) {
        return point.x == four[p].x && point.y == four[p].y;
      });
  }
  const std::array<double, 4> shares{.1, .45, .35, .1};  // of .2, .9, .7, .2
  for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(dropped[p] / double{rounds}, shares[p], .03);
  for (const std::size_t length : {1U, 2U}) {
    const auto few = rival.views_of(std::span(four).first(length), random);
    EXPECT_EQ(few.first.size(), length);
    EXPECT_EQ(few.second.size(), length);
  }
}

TEST(Movsemcl, LearnsWithoutLabels) {
  const Small small = small_rival(quick(movsemcl_kind()), {}, 16);
  const std::optional<Stage> stage = small.rival->pretraining(small.city.train);
  EXPECT_EQ(stage->steps, 20U);
  const double before = train(*small.rival, *stage, {.steps = 5}, {}, {}).loss;
  EXPECT_LT(train(*small.rival, *stage, {.steps = 30}, {}, {}).loss, before - 1);
  EXPECT_EQ(small.rival->parameter_count(), 1'857'549U);
}

TEST(Movsemcl, OverfitsAFewTrips) {
  EXPECT_GE(overfitted_hr10(quick(movsemcl_kind()), {.measure = Measure::hausdorff}, 200), .9);
}

}  // namespace
}  // namespace tsmini::rivals
