#include "tsmini/dataset.h"

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Trajectories = std::vector<OwnedTrajectory>;

void expect_round_trip(const Trajectories& trajectories, const std::vector<Part>& parts = {},
                       Coordinates coordinates = Coordinates::degrees) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", trajectories, parts, coordinates);
  const Dataset read = Dataset::open(folder / "a.tsd");
  read.verify();
  expect_same(read, built(trajectories, parts, coordinates));
  EXPECT_EQ(read.info().provenance, "{\"made\":\"by a test\"}");
  ASSERT_EQ(read.size(), trajectories.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].id, trajectories[i].id);
    EXPECT_EQ(std::vector(read[i].points.begin(), read[i].points.end()), trajectories[i].points);
    EXPECT_EQ(std::vector(read[i].times.begin(), read[i].times.end()), trajectories[i].times);
    EXPECT_EQ(read.part(i), parts.empty() ? Part::none : parts[i]);
  }
}

TEST(Dataset, DefaultIsEmpty) {
  const Dataset data;
  EXPECT_EQ(data.size(), 0u);
  EXPECT_EQ(data.point_count(), 0u);
  EXPECT_EQ(data.info().extent, Box{});
  data.verify();
}

TEST(Dataset, RoundTripOfNothing) {
  expect_round_trip({});
}

TEST(Dataset, RoundTripOfOnePointAndOfNone) {
  expect_round_trip({{"a", {{1, 2}}, {}}});
  expect_round_trip({{"a", {{1, 2}}, {5}}});
  expect_round_trip({{"none", {}, {}}, {"a", {{1, 2}}, {5}}, {"none again", {}, {}}});
}

TEST(Dataset, RoundTripWithTimesWithoutAndMixed) {
  const OwnedTrajectory with{"with", {{1, 2}, {3, 4}}, {10, 20}},
      without{"without", {{5, 6}, {7, 8}}, {}};
  expect_round_trip({with, with});
  expect_round_trip({without, without});
  expect_round_trip({without, with, without});
  expect_round_trip({with, without, with});
}

TEST(Dataset, RoundTripOfExtremeTimes) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  expect_round_trip({{"a", {{1, 2}, {3, 4}, {5, 6}}, {-most, 0, most}}});
}

TEST(Dataset, RoundTripOfAnyId) {
  expect_round_trip({{"", {{1, 2}}, {}},
                     {"same", {{1, 2}}, {}},
                     {"same", {{1, 3}}, {}},
                     {"tab\there, \"quotes\" and\nlines", {{1, 2}}, {}},
                     {std::string("zero\0inside", 11), {{1, 2}}, {}},
                     {"\xe5\x8c\x97\xe4\xba\xac \xf0\x9f\x9a\x95", {{1, 2}}, {}},
                     {std::string(100'000, 'x'), {{1, 2}}, {}}});
}

TEST(Dataset, RoundTripOfParts) {
  const Trajectories three{{"a", {{1, 2}}, {}}, {"b", {{1, 2}}, {}}, {"c", {{1, 2}}, {}}};
  expect_round_trip(three, {Part::train, Part::validation, Part::test});
  expect_round_trip(three, {Part::none, Part::none, Part::test});
  expect_round_trip(three, {Part::none, Part::none, Part::none});
}

TEST(Dataset, RoundTripOfTheExtremesOfAPlane) {
  constexpr double most = std::numeric_limits<double>::max();
  expect_round_trip({{"a", {{-most, 5e-324}, {most, -0.0}}, {}}}, {}, Coordinates::planar);
}

TEST(Dataset, RoundTripOfALongTrajectory) {
  Trajectories one{{"long", {}, {}}};
  for (int i = 0; i < 100'000; ++i) {
    one[0].points.push_back({i * 0.001, i * 0.0005});
    one[0].times.push_back(i * 15);
  }
  expect_round_trip(one);
}

TEST(Dataset, RoundTripOfManyAtRandom) {
  const Trajectories many = random_trajectories(3000, 1);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < many.size(); ++i) parts.push_back(static_cast<Part>(i % 4));
  expect_round_trip(many, parts);
}

TEST(Dataset, KnowsItsExtentAndWhatItHas) {
  const Dataset data = built({{"a", {{-5, 7}, {3, -4}}, {}}, {"b", {{1, 9}}, {1}}},
                             {Part::none, Part::test}, Coordinates::planar);
  EXPECT_EQ(data.info().extent, (Box{-5, -4, 3, 9}));
  EXPECT_TRUE(data.info().has_times);
  EXPECT_TRUE(data.info().has_split);
  EXPECT_EQ(data.info().coordinates, Coordinates::planar);
  EXPECT_EQ(data.point_count(), 3u);
  EXPECT_EQ(std::vector(data.offsets().begin(), data.offsets().end()),
            (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(data.points()[2], (Position{1, 9}));
  EXPECT_EQ(data.indices_of(Part::test), std::vector<std::size_t>{1});
  EXPECT_EQ(data.indices_of(Part::train), std::vector<std::size_t>{});
}

TEST(Dataset, CopiesShareAndOutliveTheFile) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", {{"a", {{1, 2}, {3, 4}}, {}}});
  Dataset copy;
  {
    const Dataset data = Dataset::open(folder / "a.tsd");
    copy = data;
  }
  std::filesystem::remove(folder / "a.tsd");
  EXPECT_EQ(lines_of(copy), std::vector<std::string>{"a |  | 1 2,3 4"});
}

TEST(Dataset, IsReadByManyThreads) {
  const TemporaryFolder folder;
  const auto trajectories = random_trajectories(500, 2);
  write_dataset(folder / "a.tsd", trajectories);
  const Dataset data = Dataset::open(folder / "a.tsd");
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> sums(4, 0);
  for (std::uint64_t& sum : sums) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < data.size(); ++i) sum += data[i].size() + data[i].id.size();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) EXPECT_EQ(sum, sums.front());
}

TEST(DatasetWriter, LeavesNothingWithoutFinish) {
  const TemporaryFolder folder;
  {
    DatasetWriter writer(folder / "a.tsd");
    writer.add({"a", std::vector<Position>{{1, 2}}, {}});
    EXPECT_EQ(writer.size(), 1u);
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(DatasetWriter, GivesTheSameBytesForTheSameData) {
  const TemporaryFolder folder;
  const auto trajectories = random_trajectories(100, 3);
  write_dataset(folder / "a.tsd", trajectories);
  write_dataset(folder / "b.tsd", trajectories);
  EXPECT_EQ(read_file(folder / "a.tsd"), read_file(folder / "b.tsd"));
}

TEST(DatasetOpen, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_file(folder / "trips.csv", "id,lon,lat\n");
  write_file(folder / "empty.tsd", "");
  expect_error(ErrorCode::bad_input, "none.tsd: cannot read: No such file", "check the name",
               [&] { Dataset::open(folder / "none.tsd"); });
  expect_error(ErrorCode::bad_input, "trips.csv: is not a .tsd data set", "import_files",
               [&] { Dataset::open(folder / "trips.csv"); });
  expect_error(ErrorCode::bad_input, "empty.tsd: is not a .tsd data set", "import_files",
               [&] { Dataset::open(folder / "empty.tsd"); });
  expect_error(ErrorCode::bad_input, "is a folder", "", [&] { Dataset::open(folder.path()); });
}

}  // namespace
}  // namespace tsmini
