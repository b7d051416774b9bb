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

TEST(MemoryTripsTest, AnIdThatComesTwiceIsOneTrip) {
  const Dataset data = random_trips(std::vector<std::size_t>(40, 6));
  const MemoryTrips trips(data);
  SearchRequest request;
  request.filter.ids = std::vector<std::string>{"trip 3", "trip 8", "trip 3"};
  for (const auto& space : {Space(), Space::fit(SpaceKind::zscore, data)}) {
    request.space = space;
    const SearchResult result = trips.search(data[3].points, request);
    ASSERT_EQ(result.answers.size(), 2u);
    EXPECT_EQ(result.answers[0].trip.id, "trip 3");
    EXPECT_EQ(result.answers[1].trip.id, "trip 8");
    EXPECT_FALSE(result.answers[1].trip.points.empty());
  }
}

TEST(MemoryTripsTest, ModelsHaveNames) {
  MemoryTrips trips(random_trips(std::vector<std::size_t>(30, 6)));
  EXPECT_EQ(trips.size(), 30u);
  EXPECT_EQ(trips.add_model(random_model()), "frechet");
  EXPECT_EQ(trips.add_model(random_model({}, 2)), "frechet-2");
  const std::vector<Position> query = random_trip(9, 5);
  const auto by = [&](const std::string& name) {
    return trips.search(query, {.model = name, .mode = SearchMode::fast}).answers[0].distance;
  };
  EXPECT_NE(by("frechet"), by("frechet-2"));
  EXPECT_EQ(trips.completed({}).mode, SearchMode::exact);
  EXPECT_EQ(trips.completed({}).space, trips.space());
}

// So many that bounds are asked; a model's own answers are marked as its guess.
TEST(MemoryTripsTest, ThousandsThatTheModelCannotTake) {
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < 4600; ++i) {
    std::vector<Position> points = random_trip(5, i);
    if (i % 10 != 0) points.push_back({3500, 1000});  // out of the box
    builder.add({std::to_string(i), points, {}});
  }
  const Dataset data = builder.finish();
  MemoryTrips trips(data);
  trips.add_model(random_model());
  std::vector<Position> query = random_trip(5, 9999);
  query.push_back({2950, 1000});
  const SearchResult truth = trips.search(query, {.k = 4600});
  const SearchResult fast = trips.search(query, {.k = 30, .mode = SearchMode::fast});
  std::size_t measured = 0;
  std::vector<std::string> expected;
  for (const Answer& answer : truth.answers) {
    if (std::stoi(answer.trip.id) % 10 != 0) expected.push_back(answer.trip.id);
  }
  for (const Answer& answer : fast.answers) {
    EXPECT_EQ(answer.estimated, std::stoi(answer.trip.id) % 10 == 0);
    if (answer.estimated) continue;
    EXPECT_EQ(answer.trip.id, expected[measured++]);
  }
  const SearchResult rerank =
      trips.search(query, {.k = 30, .mode = SearchMode::rerank, .candidates = 1000});
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(rerank.answers[i].trip.id, truth.answers[i].trip.id);
    EXPECT_EQ(rerank.answers[i].distance, truth.answers[i].distance);
  }
  const SearchResult few =
      trips.search(query, {.k = 30, .mode = SearchMode::rerank, .candidates = 30});
  std::size_t next = 0;
  for (const Answer& answer : few.answers) {
    if (std::stoi(answer.trip.id) % 10 == 0) continue;
    EXPECT_EQ(answer.trip.id, expected[next++]);
  }
  EXPECT_GT(next, 0u);
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
  expect_error(ErrorCode::bad_input, "the model measures in the space 'planar'", "`space=ground`",
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
