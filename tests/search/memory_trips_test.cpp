#include "tsmini/memory_trips.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tsmini
