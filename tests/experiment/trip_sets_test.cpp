#include "experiment/trip_sets.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini::experiment {
namespace {

std::vector<std::string> ids_of(const Dataset& data, Part part) {
  std::vector<std::string> ids;
  for (const std::size_t i : data.indices_of(part)) ids.emplace_back(data[i].id);
  return ids;
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].id, b[i].id);
    EXPECT_EQ(a.part(i), b.part(i));
    EXPECT_TRUE(
        std::equal(a[i].points.begin(), a[i].points.end(), b[i].points.begin(), b[i].points.end()));
    EXPECT_TRUE(
        std::equal(a[i].times.begin(), a[i].times.end(), b[i].times.begin(), b[i].times.end()));
  }
}

// Marks go around: train, none, test, validation, train.
Dataset marked(std::size_t count) {
  constexpr std::array<Part, 5> around{Part::train, Part::none, Part::test, Part::validation,
                                       Part::train};
  std::vector<Part> parts;
  for (std::size_t i = 0; i < count; ++i) parts.push_back(around[i % around.size()]);
  return built(random_trajectories(count, 1), parts);
}

TEST(WithSplit, MarksSevenOneAndTwoTenths) {
  const Dataset data = built(random_trajectories(100, 1));
  const Dataset split = with_split(data, 3);
  EXPECT_EQ(split.size(), 100u);
  EXPECT_EQ(split.indices_of(Part::train).size(), 70u);
  EXPECT_EQ(split.indices_of(Part::validation).size(), 10u);
  EXPECT_EQ(split.indices_of(Part::test).size(), 20u);
  EXPECT_EQ(split.info().provenance, data.info().provenance);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(split[i].id, data[i].id);
  expect_same(split, with_split(data, 3));
  EXPECT_NE(ids_of(split, Part::test), ids_of(with_split(data, 4), Part::test));
}

TEST(WithSplit, LeavesASplitAsItIs) {
  const Dataset data = marked(10);
  EXPECT_EQ(with_split(data, 3).points().data(), data.points().data());  // not copied
}

TEST(WithSplit, OfHardlyAnything) {
  EXPECT_EQ(with_split(Dataset(), 1).size(), 0u);
  const Dataset one = with_split(built(random_trajectories(1, 1)), 1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one.part(0), Part::train);
}

TEST(WithSplit, KeepsThePlane) {
  const Dataset planar = built({{"a", {{1, 2}, {3, 4}}, {}}}, {}, Coordinates::planar);
  EXPECT_EQ(with_split(planar, 1).info().coordinates, Coordinates::planar);
}

TEST(WithTrainingSet, TakesTheFirstAndThenThoseWithoutAMark) {
  const Dataset data = marked(10);
  const std::vector<std::string> tests{"trip 2", "trip 7"}, validations{"trip 3", "trip 8"};
  const std::vector<std::vector<std::string>> train{
      {},
      {"trip 0"},
      {"trip 0", "trip 4"},
      {"trip 0", "trip 4", "trip 5"},
      {"trip 0", "trip 4", "trip 5", "trip 9"},
      {"trip 0", "trip 1", "trip 4", "trip 5", "trip 9"},
      {"trip 0", "trip 1", "trip 4", "trip 5", "trip 6", "trip 9"},
  };
  for (std::size_t count = 0; count < train.size(); ++count) {
    const Dataset set = with_training_set(data, count);
    EXPECT_EQ(set.size(), count + 4);
    EXPECT_EQ(ids_of(set, Part::train), train[count]);
    EXPECT_EQ(ids_of(set, Part::validation), validations);
    EXPECT_EQ(ids_of(set, Part::test), tests);
  }
  expect_error(ErrorCode::usage, "7 training trips are wanted, but only 6", "ask for 6",
               [&] { with_training_set(data, 7); });
}

TEST(WithTrainingSet, OfHardlyAnything) {
  EXPECT_EQ(with_training_set(Dataset(), 0).size(), 0u);
  const Dataset one = with_training_set(built(random_trajectories(1, 1)), 1);
  EXPECT_EQ(ids_of(one, Part::train), std::vector<std::string>{"trip 0"});
}

TEST(SampleForTuning, HoldsAFifthOfTheDrawnBack) {
  const Dataset data = marked(500);
  const Dataset sample = sample_for_tuning(data, 100, 5);
  EXPECT_EQ(sample.size(), 200u);
  EXPECT_EQ(sample.indices_of(Part::train).size(), 80u);
  EXPECT_EQ(sample.indices_of(Part::validation).size(), 20u);
  EXPECT_EQ(ids_of(sample, Part::test), ids_of(data, Part::test));
  const std::vector<std::string> known = ids_of(data, Part::train);
  for (const Part part : {Part::train, Part::validation}) {
    for (const std::string& id : ids_of(sample, part))
      EXPECT_TRUE(std::find(known.begin(), known.end(), id) != known.end()) << id;
  }
  expect_same(sample, sample_for_tuning(data, 100, 5));
  EXPECT_NE(ids_of(sample, Part::train), ids_of(sample_for_tuning(data, 100, 6), Part::train));
}

TEST(SampleForTuning, OfHardlyAnything) {
  EXPECT_EQ(sample_for_tuning(Dataset(), 0, 1).size(), 0u);
  const Dataset one = built(random_trajectories(1, 1), {Part::train});
  EXPECT_EQ(ids_of(sample_for_tuning(one, 1, 1), Part::train), std::vector<std::string>{"trip 0"});
  expect_error(ErrorCode::usage, "2 training trips are wanted, but only 1", "ask for 1",
               [&] { sample_for_tuning(one, 2, 1); });
}

TEST(TripSets, ATestTripIsNeverLearnedFrom) {
  const Dataset data = marked(500);
  const std::vector<std::string> tests = ids_of(data, Part::test);
  const std::set<std::string> forbidden(tests.begin(), tests.end());
  for (const Dataset& set :
       {with_split(data, 1), with_training_set(data, 300), sample_for_tuning(data, 200, 1)}) {
    EXPECT_EQ(ids_of(set, Part::test), tests);
    for (const Part part : {Part::train, Part::validation}) {
      for (const std::string& id : ids_of(set, part)) EXPECT_EQ(forbidden.count(id), 0u) << id;
    }
  }
}

}  // namespace
}  // namespace tsmini::experiment
