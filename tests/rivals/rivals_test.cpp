// What holds for every rival.
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

class EveryRival : public testing::TestWithParam<std::string> {
 protected:
  const RivalKind& kind_ = rival_named(GetParam());
};

// Of the network at 128 dimensions: what the paper's table rests on.
TEST_P(EveryRival, HasTheSizeThatThePaperReports) {
  const std::map<std::string, std::uint64_t> sizes{
      {"neutraj", 117'376},  {"t3s", 199'681},  {"tmn", 181'824},       {"trajgat", 398'080},
      {"trajcl", 1'220'237}, {"kgts", 116'096}, {"movsemcl", 1'857'549}};
  EXPECT_EQ(small_rival(kind_).rival->parameter_count(), sizes.at(GetParam()));
}

Tensor predicted(const Small& small, const PlanarSet& trips) {
  const Streams streams = small.rival->prepare(trips);
  small.rival->eval();
  return small.rival->distances(streams, all_ids(streams.front().size()), {});
}

// A few steps with labels and without.
Small trained(const RivalKind& kind, std::uint64_t seed) {
  Settings settings;
  settings.seed = seed;
  Small small = small_rival(kind, settings, 24);
  const Budget budget{.steps = 3, .validations = 1};
  if (const auto stage = small.rival->pretraining(small.city.train))
    train(*small.rival, *stage, budget, {}, {});
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  if (const auto stage = small.rival->training(set)) train(*small.rival, *stage, budget, {}, {});
  return small;
}

TEST_P(EveryRival, IsTheSameForTheSameSeed) {
  const Small first = trained(kind_, 1), second = trained(kind_, 1), other = trained(kind_, 2);
  const PlanarSet& trips = first.city.all;
  EXPECT_TRUE(predicted(first, trips).equal(predicted(second, trips)));
  EXPECT_FALSE(predicted(first, trips).equal(predicted(other, trips)));
}

TEST_P(EveryRival, ComesBackFromItsFile) {
  const TemporaryFolder folder;
  const Small small = trained(kind_, 1);
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
  const Small small = trained(kind_, 1);
  const Planar here = small.city.all[0][0];
  const Planar elsewhere{here.x + 1e5, here.y - 1e5};
  const PlanarSet trips({here, here, here, here, elsewhere, {elsewhere.x + 50, elsewhere.y}},
                        {0, 1, 4, 6});
  EXPECT_TRUE(predicted(small, trips).isfinite().all().item<bool>());
}

// Whoever trains without labels must not need them, and the others must.
TEST_P(EveryRival, LearnsWithLabelsOrWithout) {
  const Small small = small_rival(kind_, {}, 24);
  const TrainingSet set = training_set(*small.rival, small.city.train, Measure::frechet);
  const bool with = small.rival->training(set).has_value();
  const bool without = small.rival->pretraining(small.city.train).has_value();
  EXPECT_TRUE(with || without);
  EXPECT_EQ(with, GetParam() != "kgts");
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

// Whatever else is in the batch, longer or shorter, and in whatever order.
TEST(Rivals, EmbedATripByItself) {
  for (const RivalKind& kind : rival_kinds()) {
    if (kind.pairs) continue;
    const Small small = small_rival(kind);
    small.rival->eval();
    std::vector<Planar> points;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t i = 0; i < 40; ++i) {
      const auto trip = small.city.all[i];
      points.insert(points.end(), trip.begin(), trip.begin() + static_cast<int>(i % 20 + 1));
      offsets.push_back(points.size());
    }
    const Streams streams = small.rival->prepare(PlanarSet(points, offsets));
    const std::vector<std::int64_t> ids{7, 39, 0, 12, 12, 30, 1};
    const torch::NoGradGuard no_grad;
    const Tensor together = small.rival->embed(streams, ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Tensor alone = small.rival->embed(streams, std::span(ids).subspan(i, 1));
      EXPECT_LT((together[static_cast<int>(i)] - alone[0]).abs().max().item<double>(), 1e-5)
          << kind.name << ' ' << ids[i];
    }
  }
}

TEST(Rivals, ADamagedFileIsRefused) {
  const TemporaryFolder folder;
  save_tensors(folder / "a.safetensors", {{"net.x", torch::zeros({2})}}, {{"format", "other"}});
  expect_error(ErrorCode::bad_input, "not a rival", "tsmini-rivals train",
               [&] { load_rival(folder / "a.safetensors", torch::kCPU); });
}

}  // namespace
}  // namespace tsmini::rivals
