#include "rivals/trajcl/trajcl.h"

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

// From the formulas alone.
Row expected(const Small& small, std::span<const Planar> trip) {
  const plain::Weights weights(*small.rival);
  const PlanarBox& box = small.ground.cells.box();
  auto [kept, x] = collapsed(small, trip);
  Rows spatial;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Planar p = kept[i];
    Row row{(p.x - box.low.x) / (box.high.x - box.low.x),
            (p.y - box.low.y) / (box.high.y - box.low.y), 0, 0};
    if (i > 0 && i + 1 < kept.size()) {
      const double ax = kept[i - 1].x - p.x, ay = kept[i - 1].y - p.y;
      const double bx = kept[i + 1].x - p.x, by = kept[i + 1].y - p.y;
      row[2] =
          (std::sqrt(ax * ax + ay * ay) + std::sqrt(bx * bx + by * by)) / 2 / (11 * 100 / 1.414);
      constexpr double pi = std::numbers::pi;
      row[3] = 1 - std::abs(pi - std::atan2(ax, ay) + std::atan2(bx, by)) / pi;
    }
    spatial.push_back(row);
  }
  const Rows narrow = plain::positions(x.size(), 4), wide = plain::positions(x.size(), 128);
  for (std::size_t i = 0; i < x.size(); ++i) {
    spatial[i] = plain::plus(spatial[i], narrow[i]);
    x[i] = plain::plus(x[i], wide[i]);
  }
  Rows seen;
  for (int i = 0; i < 3; ++i) {
    seen.clear();
    spatial = plain::encoder_layer(weights, "encoder.spatial_" + std::to_string(i), spatial, 1, {},
                                   &seen);
  }
  const double share = 10 * plain::sigmoid(weights.vector("encoder.bias.gamma").front());
  for (Row& row : seen) row = plain::scaled(row, share);
  for (int i = 0; i < 2; ++i)
    x = plain::encoder_layer(weights, "encoder.structural_" + std::to_string(i), x, 4, seen);
  return headed(weights, plain::mean(x));
}

TEST(Trajcl, EmbedsAsItsFormulasSay) {
  const Small small = small_rival(quick(trajcl_kind()));
  {
    const torch::NoGradGuard no_grad;
    small.rival->named_parameters()["encoder.bias.gamma"].fill_(-.7);
  }
  expect_embeddings(small, odd_trips(small.city),
                    [&](std::span<const Planar> trip) { return expected(small, trip); });
}

TEST(Trajcl, HasTheParametersOfThePaper) {
  EXPECT_EQ(small_rival(quick(trajcl_kind()), {}, 8).rival->parameter_count(), 1'220'237U);
}

// Cell vectors are no parameters; of the last spatial layer nothing but its attention counts.
TEST(Trajcl, GradientReachesAllThatCounts) {
  const Small small = small_rival(quick(trajcl_kind()), {}, 8);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  small.rival->training(set)->loss().backward();
  for (const auto& item : small.rival->named_parameters()) {
    const std::string& name = item.key();
    const bool unused = name.find("spatial_2.") != std::string::npos &&
                        name.find("attention.input") == std::string::npos;
    const Tensor gradient = item.value().grad();
    EXPECT_EQ(gradient.defined() && gradient.abs().sum().item<float>() > 0, !unused) << name;
    EXPECT_EQ(name.find("vectors"), std::string::npos);
  }
}

TEST(Trajcl, AttentionIsThatOfTheTripItself) {
  EXPECT_LT(company(trajcl_kind(), {}), 1e-6);
  EXPECT_GT(company(trajcl_kind(), {.released = {"mixed-attention"}}), 1e-5);
}

TEST(Trajcl, DistancesHaveAUnit) {
  EXPECT_LT(unit_error(trajcl_kind(), {}, 2 * std::sqrt(128 / std::numbers::pi)), 1e-5);
  EXPECT_LT(unit_error(trajcl_kind(), {.released = {"unscaled"}}, 1), 1e-5);
}

TEST(Trajcl, ViewsAreParts) {
  const Small small = small_rival(quick(trajcl_kind()), {}, 8);
  const auto& rival = dynamic_cast<const Trajcl&>(*small.rival);
  Random random(1);
  const auto trip = small.city.all[3];
  const auto [sparse, piece] = rival.views_of(trip, random);
  EXPECT_EQ(sparse.size(), trip.size() - trip.size() * 3 / 10);
  EXPECT_EQ(piece.size(), trip.size() * 7 / 10);
  const auto same = [](const Planar& a, const Planar& b) { return a.x == b.x && a.y == b.y; };
  EXPECT_NE(std::search(trip.begin(), trip.end(), piece.begin(), piece.end(), same), trip.end());
  auto from = trip.begin();
  for (const Planar& point : sparse) {
    from = std::find_if(from, trip.end(), [&](const Planar& p) { return same(p, point); });
    ASSERT_NE(from++, trip.end());
  }
  for (const std::size_t length : {1U, 2U}) {
    const auto few = rival.views_of(trip.first(length), random);
    EXPECT_EQ(few.first.size(), length);
    EXPECT_EQ(few.second.size(), 1U);
  }
}

TEST(Trajcl, LearnsWithoutLabels) {
  const Small small = small_rival(quick(trajcl_kind()), {}, 16);
  const std::optional<Stage> stage = small.rival->pretraining(small.city.train);
  EXPECT_EQ(stage->steps, 20U);
  EXPECT_DOUBLE_EQ(stage->rate(.6), .001 / 4);
  const double before = train(*small.rival, *stage, {.steps = 5}, {}, {}).loss;
  EXPECT_LT(train(*small.rival, *stage, {.steps = 30}, {}, {}).loss, before - 1);
  EXPECT_EQ(small.rival->parameter_count(), 1'220'237U);
}

TEST(Trajcl, VectorsOfCellsAreThoseOfWalks) {
  City city = small_city(1);
  Ground ground = settle(trajcl_kind(), city, {});
  const Tensor vectors = ground.tensors.at("vectors");
  ASSERT_EQ(vectors.size(0), static_cast<std::int64_t>(ground.cells.known().size()));
  EXPECT_EQ(vectors.size(1), dimension);
  EXPECT_TRUE(vectors.isfinite().all().item<bool>());
}

TEST(Trajcl, OverfitsAFewTrips) {
  EXPECT_GE(overfitted_hr10(quick(trajcl_kind()), {.measure = Measure::hausdorff}, 240), .9);
}

}  // namespace
}  // namespace tsmini::rivals
