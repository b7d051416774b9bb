#include "experiment/joined_pieces.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini::experiment {
namespace {

// Points on a line, so that each tells its place.
OwnedTrajectory piece(const std::string& id, int from, int count, bool timed = false) {
  OwnedTrajectory trip{id, {}, {}};
  for (int i = from; i < from + count; ++i) {
    trip.points.push_back({0.001 * i, 50});
    if (timed) trip.times.push_back(i);
  }
  return trip;
}

std::map<std::string, std::size_t> sizes_of(const Dataset& data) {
  std::map<std::string, std::size_t> sizes;
  for (std::size_t i = 0; i < data.size(); ++i) sizes[std::string(data[i].id)] = data[i].size();
  EXPECT_EQ(sizes.size(), data.size()) << "no id twice";
  return sizes;
}
using Sizes = std::map<std::string, std::size_t>;

TEST(JoinedPieces, SetsNeighboursEndToEnd) {
  const Dataset data =
      built({piece("r_2", 10, 10), piece("r_3", 20, 10), piece("r_1", 0, 10), piece("s_1", 0, 10)});
  const Dataset joined = joined_pieces(data, 25, 30, 1);
  ASSERT_EQ(sizes_of(joined), (Sizes{{"r_1-3", 30}}));
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(joined[0].points[static_cast<std::size_t>(i)], (Position{0.001 * i, 50}));
  EXPECT_FALSE(joined[0].has_times());
}

TEST(JoinedPieces, StopsBeforeThereAreTooMany) {
  std::vector<OwnedTrajectory> trips;
  for (int i = 0; i < 11; ++i) trips.push_back(piece("r_" + std::to_string(i), 10 * i, 10));
  const Dataset data = built(trips);
  EXPECT_EQ(sizes_of(joined_pieces(data, 20, 39, 1)),
            (Sizes{{"r_0-2", 30}, {"r_3-5", 30}, {"r_6-8", 30}, {"r_9-10", 20}}));
  EXPECT_EQ(sizes_of(joined_pieces(data, 21, 39, 1)),
            (Sizes{{"r_0-2", 30}, {"r_3-5", 30}, {"r_6-8", 30}}));
}

TEST(JoinedPieces, LeavesOutAPieceThatIsTooLong) {
  const Dataset data = built(
      {piece("r_1", 0, 10), piece("r_2", 10, 50), piece("r_3", 60, 10), piece("r_4", 70, 10)});
  EXPECT_EQ(sizes_of(joined_pieces(data, 5, 30, 1)), (Sizes{{"r_1", 10}, {"r_3-4", 20}}));
}

TEST(JoinedPieces, KeepsAMeetingPointOnce) {
  const Dataset data = built({piece("r_1", 0, 10, true), piece("r_2", 9, 10, true)});
  const Dataset joined = joined_pieces(data, 19, 19, 1);
  ASSERT_EQ(sizes_of(joined), (Sizes{{"r_1-2", 19}}));
  for (std::size_t i = 0; i < 19; ++i)
    EXPECT_EQ(joined[0].times[i], static_cast<std::int64_t>(i)) << "and its time with it";
}

TEST(JoinedPieces, GapsAndStrangersSeparate) {
  const Dataset data = built({
      piece("r_1", 0, 10), piece("r_3", 20, 10),                      // 2 is missing
      piece("s_9", 0, 10), piece("s_10", 10, 10),                     // by number, not by letters
      piece("t", 0, 10), piece("t_", 0, 10), piece("t_x1", 0, 10),    // no numbers
      piece("u_1", 0, 10), piece("v_2", 10, 10),                      // other recordings
      piece("w_1", 50, 10, true), piece("w_2", 0, 10, true),          // backwards in time
      piece("x_1", 0, 10, true), piece("x_2", 10, 10, false),         // one without times
      piece("y_1", 0, 10), piece("y_2", 0, 0), piece("y_3", 10, 10),  // nothing in between
  });
  EXPECT_EQ(sizes_of(joined_pieces(data, 1, 100, 1)), (Sizes{{"r_1", 10},
                                                             {"r_3", 10},
                                                             {"s_9-10", 20},
                                                             {"t", 10},
                                                             {"t_", 10},
                                                             {"t_x1", 10},
                                                             {"u_1", 10},
                                                             {"v_2", 10},
                                                             {"w_1", 10},
                                                             {"w_2", 10},
                                                             {"x_1", 10},
                                                             {"x_2", 10},
                                                             {"y_1", 10},
                                                             {"y_3", 10}}));
}

TEST(JoinedPieces, NoPieceIsInTwoTrips) {
  std::vector<OwnedTrajectory> trips;
  for (int i = 0; i < 500; ++i) {
    const std::string recording = "00" + std::to_string(i % 7) + "_20090117010736_";
    trips.push_back(piece(recording + std::to_string(i / 7), 100 * i, 1 + i * 37 % 90));
  }
  trips.push_back(trips[100]);  // an id twice, but other points
  for (Position& p : trips.back().points) p.lat = 51;
  const Dataset joined = joined_pieces(built(trips), 100, 200, 1);
  EXPECT_GT(joined.size(), 20u);
  std::map<std::pair<double, double>, int> seen;
  for (const Position& p : joined.points()) ++seen[{p.lon, p.lat}];
  for (const auto& [point, count] : seen) EXPECT_EQ(count, 1);
  for (std::size_t i = 0; i < joined.size(); ++i) {
    EXPECT_GE(joined[i].size(), 100u);
    EXPECT_LE(joined[i].size(), 200u);
  }
}

TEST(JoinedPieces, AreSplitBySeedWhateverTheOrderOfTheFile) {
  std::vector<OwnedTrajectory> trips;
  for (int i = 0; i < 100; ++i) trips.push_back(piece(std::to_string(i) + "_1", 0, 10));
  const Dataset joined = joined_pieces(built(trips), 1, 10, 1);
  EXPECT_EQ(joined.indices_of(Part::train).size(), 70u);
  EXPECT_EQ(joined.indices_of(Part::validation).size(), 10u);
  EXPECT_EQ(joined.indices_of(Part::test).size(), 20u);
  std::reverse(trips.begin(), trips.end());
  EXPECT_EQ(joined_pieces(built(trips), 1, 10, 1).indices_of(Part::test),
            joined.indices_of(Part::test));
  EXPECT_NE(joined_pieces(built(trips), 1, 10, 2).indices_of(Part::test),
            joined.indices_of(Part::test));
}

TEST(JoinedPieces, OfHardlyAnything) {
  EXPECT_EQ(joined_pieces(Dataset(), 1, 10, 1).size(), 0u);
  EXPECT_EQ(joined_pieces(built({piece("r_1", 0, 10)}), 11, 20, 1).size(), 0u);
  EXPECT_EQ(sizes_of(joined_pieces(built({piece("r_1", 0, 10)}), 10, 10, 1)), (Sizes{{"r_1", 10}}));
  const Dataset planar = built({piece("", 0, 10)}, {}, Coordinates::planar);
  EXPECT_EQ(joined_pieces(planar, 1, 10, 1).info().coordinates, Coordinates::planar);
  expect_error(ErrorCode::usage, "at least 3 and at most 2", "range",
               [] { joined_pieces(Dataset(), 3, 2, 1); });
}

}  // namespace
}  // namespace tsmini::experiment
