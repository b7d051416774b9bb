#include "tsmini/memory_trips.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

TEST(MemoryTripsTest, AnswerInOneLine) {
  const Dataset data =
      built({{"a", {{9, 45}, {9.01, 45}}, {}}, {"b", {{9, 45.1}, {9.01, 45.1}}, {}}});
  const MemoryTrips trips(data);
  EXPECT_EQ(trips.space().kind(), SpaceKind::ground);
  const SearchResult result = trips.search(data[0].points, {.k = 2});
  ASSERT_EQ(result.answers.size(), 2u);
  EXPECT_EQ(result.answers[0].trip.id, "a");
  EXPECT_EQ(result.answers[1].trip.row, 1u);
  EXPECT_NEAR(result.answers[1].distance, 11'114, 20);  // metres
  EXPECT_EQ(trips.search(data[0].points, {.within = 100}).answers.size(), 1u);
}

// More than are measured at a time; the trip that the other space does not reach is named.
TEST(MemoryTripsTest, AnotherSpaceTakesAScan) {
  DatasetBuilder builder;
  for (int i = 0; i < 9000; ++i) {
    const double x = 0.0001 * (i * 37 % 8999), y = 0.0001 * (i * 101 % 8999);
    const std::vector<Position> points{{9 + x, 45 + y}, {9 + y, 45 + x}, {9 + x, 45.2 - y}};
    builder.add({std::to_string(i), points, {}});
  }
  const Dataset data = builder.finish();
  const MemoryTrips trips(data);
  const Space mercator = Space::fit(SpaceKind::mercator, data);
  const MemoryTrips in_mercator(data, mercator);
  const SearchResult scanned = trips.search(data[8500].points, {.k = 20, .space = mercator});
  const SearchResult found = in_mercator.search(data[8500].points, {.k = 20});
  EXPECT_EQ(scanned.work.pairs, 9000u);
  EXPECT_LT(found.work.pairs, 9000u);
  ASSERT_EQ(scanned.answers.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(scanned.answers[i].trip.id, found.answers[i].trip.id);
    EXPECT_EQ(scanned.answers[i].distance, found.answers[i].distance);
  }
  const Space elsewhere = Space::from_json(R"({"kind":"ground","lon":9,"lat":45})");
  const std::vector<Position> query{{9, 45}, {9.1, 45}};
  expect_error(ErrorCode::bad_input, "trip 'far'", "", [&] {
    MemoryTrips(built({{"far", {{70, 40}, {71, 40}}, {}}}), mercator)
        .search(query, {.space = elsewhere});
  });
}

TEST(MemoryTripsTest, NoTrips) {
  const MemoryTrips trips{Dataset(), Space()};
  const std::vector<Position> query{{1, 2}, {3, 4}};
  EXPECT_TRUE(trips.search(query).answers.empty());
  EXPECT_TRUE(trips.search(query, {.within = 1e9}).answers.empty());
}

TEST(MemoryTripsTest, WhatItCannotHold) {
  expect_error(ErrorCode::bad_input, "'a' comes twice", "another id", [] {
    MemoryTrips(built({{"a", {{9, 45}}, {}}, {"a", {{9, 46}}, {}}}));
  });
  expect_error(ErrorCode::bad_input, "'far'", "", [] {
    MemoryTrips(built({{"far", {{70, 40}, {71, 40}}, {}}}),
                Space::from_json(R"({"kind":"ground","lon":9,"lat":45})"));
  });
  MemoryTrips trips(built({{"a", {{9, 45}, {9.1, 45}}, {}}}));
  expect_error(ErrorCode::bad_input, "the model measures in the space 'planar'", "--space ground",
               [&] { trips.add_model(random_model()); });
}

// The first search lays out the trips on all cores, while it keeps the others waiting: a thread
// that helps must not begin another search meanwhile, which would wait for itself.
TEST(MemoryTripsTest, FirstSearchesAtOnce) {
  const Dataset data = random_trips(std::vector<std::size_t>(3000, 10));
  const tbb::global_control many(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena arena(8);
  for (int round = 0; round < 20; ++round) {
    const MemoryTrips trips(data);
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, std::size_t{64}, [&](std::size_t i) {
        EXPECT_EQ(trips.search(data[i].points).answers[0].trip.id, data[i].id);
      });
    });
  }
}

}  // namespace
}  // namespace tsmini
