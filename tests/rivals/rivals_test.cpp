// What holds for every rival.
#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "rivals/core/rival.h"
#include "rivals/core/saved.h"
#include "rivals/small_city.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::rivals {
namespace {

// Twelve pieces, of 8 to 16 points, of two trips: so few cells that their vectors are soon learned.
City few_trips() {
  const PlanarSet trips = small_trips(2);
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < 12; ++i) {
    const auto piece = trips[i % 2].subspan(i / 2, 8 + i * 7 % 9);
    points.insert(points.end(), piece.begin(), piece.end());
    offsets.push_back(points.size());
  }
  const PlanarSet all(points, offsets);
  return {all, all};
}

// Settled once for all tests but those of seeds.
const Ground& usual_ground(const RivalKind& kind) {
  static std::map<std::string, Ground, std::less<>> grounds;
  const auto found = grounds.find(kind.name);
  if (found != grounds.end()) return found->second;
  return grounds[std::string(kind.name)] = settle(kind, few_trips(), {});
}

Small untrained(const RivalKind& kind, const Settings& settings, const Ground& ground) {
  torch::manual_seed(settings.seed);
  return {few_trips(), ground, kind.make(settings, ground)};
}

// A few steps with labels and without.
Small trained(const RivalKind& kind, const Settings& settings, const Ground& ground) {
  Small small = untrained(kind, settings, ground);
  const Budget budget{.steps = 3, .validations = 1};
  if (const auto stage = small.rival->pretraining(small.city.train))
    train(*small.rival, *stage, budget, {}, {});
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  if (const auto stage = small.rival->training(set)) train(*small.rival, *stage, budget, {}, {});
  return small;
}

Tensor predicted(const Small& small, const PlanarSet& trips) {
  const Streams streams = small.rival->prepare(trips);
  small.rival->eval();
  return small.rival->distances(streams, all_ids(streams.front().size()), {});
}

class EveryRival : public testing::TestWithParam<std::string> {
 protected:
  Small small() const { return untrained(kind_, {}, usual_ground(kind_)); }
  Small trained_small() const { return trained(kind_, {}, usual_ground(kind_)); }

  const RivalKind& kind_ = rival_named(GetParam());
};

// The network at 128 dimensions: what the paper's table rests on.
TEST_P(EveryRival, HasTheSizeThatThePaperReports) {
  const std::map<std::string, std::uint64_t> sizes{
      {"neutraj", 117'376},  {"t3s", 199'681},  {"tmn", 181'824},       {"trajgat", 398'080},
      {"trajcl", 1'220'237}, {"kgts", 116'096}, {"movsemcl", 1'857'549}};
  EXPECT_EQ(small().rival->parameter_count(), sizes.at(GetParam()));
}

TEST_P(EveryRival, IsTheSameForTheSameSeed) {
  const auto made = [&](std::uint64_t seed) {
    Settings settings;
    settings.seed = seed;
    return trained(kind_, settings, settle(kind_, few_trips(), settings));
  };
  const PlanarSet trips = few_trips().all;
  const Tensor usual = predicted(trained_small(), trips);  // of seed 1, settled before
  EXPECT_TRUE(usual.equal(predicted(made(1), trips)));
  EXPECT_FALSE(usual.equal(predicted(made(2), trips)));
}

TEST_P(EveryRival, ComesBackFromItsFile) {
  const TemporaryFolder folder;
  const Small small = trained_small();
  Settings settings;
  settings.measure = Measure::dtw;
  settings.released.emplace("something");
  save_rival(folder / "a.safetensors",
             {&kind_, settings, SpaceKind::ground, small.ground, small.rival});
  const SavedRival saved = load_rival(folder / "a.safetensors", torch::kCPU);
  EXPECT_EQ(saved.kind->name, GetParam());
  EXPECT_EQ(saved.settings.measure, Measure::dtw);
  EXPECT_EQ(saved.space, SpaceKind::ground);
  EXPECT_TRUE(saved.settings.keeps("something"));
  const Small again{small.city, saved.ground, saved.rival};
  EXPECT_TRUE(predicted(again, small.city.all).equal(predicted(small, small.city.all)));
}

TEST_P(EveryRival, TakesTripsOfOnePointOfEqualPointsAndFromElsewhere) {
  const Small small = trained_small();
  const Planar here = small.city.all[0][0];
  const Planar elsewhere{here.x + 1e5, here.y - 1e5};
  const PlanarSet trips({here, here, here, here, elsewhere, {elsewhere.x + 50, elsewhere.y}},
                        {0, 1, 4, 6});
  EXPECT_TRUE(predicted(small, trips).isfinite().all().item<bool>());
}

// Whoever trains without labels must not need them, and the others must.
TEST_P(EveryRival, LearnsWithLabelsOrWithout) {
  const Small made = small();
  const TrainingSet set = training_set(*made.rival, made.city.train, Measure::frechet);
  const bool with = made.rival->training(set).has_value();
  const bool without = made.rival->pretraining(made.city.train).has_value();
  EXPECT_TRUE(with || without);
  EXPECT_EQ(with, GetParam() != "kgts");
}

// Whatever else is in the batch, longer or shorter, and in whatever order.
TEST_P(EveryRival, EmbedsATripByItself) {
  if (kind_.pairs) return;
  const Small made = small();
  made.rival->eval();
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t i = 0; i < 40; ++i) {  // beginnings of 1 to 16 points
    const auto trip = made.city.all[i % made.city.all.size()];
    const std::size_t length = std::min(i % 16 + 1, trip.size());
    points.insert(points.end(), trip.begin(), trip.begin() + static_cast<int>(length));
    offsets.push_back(points.size());
  }
  const Streams streams = made.rival->prepare(PlanarSet(points, offsets));
  const std::vector<std::int64_t> ids{7, 39, 0, 12, 12, 30, 1};
  const torch::NoGradGuard no_grad;
  const Tensor together = made.rival->embed(streams, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Tensor alone = made.rival->embed(streams, std::span(ids).subspan(i, 1));
    EXPECT_LT((together[static_cast<int>(i)] - alone[0]).abs().max().item<double>(), 1e-5)
        << ids[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryRival,
                         testing::Values("neutraj", "t3s", "tmn", "trajgat", "trajcl", "kgts",
                                         "movsemcl"),
                         [](const auto& tested) { return tested.param; });

TEST(Rivals, AreKnownByName) {
  EXPECT_EQ(rival_kinds().size(), 7U);
  expect_error(ErrorCode::usage, "no rival 'trajcluster'", "movsemcl",
               [] { rival_named("trajcluster"); });
}

TEST(Rivals, ADamagedFileIsRefused) {
  const TemporaryFolder folder;
  save_tensors(folder / "a.safetensors", {{"net.x", torch::zeros({2})}}, {{"format", "other"}});
  expect_error(ErrorCode::bad_input, "not a rival", "tsmini-rivals train",
               [&] { load_rival(folder / "a.safetensors", torch::kCPU); });
}

}  // namespace
}  // namespace tsmini::rivals
