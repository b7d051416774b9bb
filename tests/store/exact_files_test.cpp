// The files of exact search: whatever happens to them, answers are those of a set in memory.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"
#include "tsmini/memory_trips.h"

#include "search/index_damage.h"
#include "store/exact_maker.h"
#include "store/records.h"
#include "store/small_collection.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Ids = std::vector<std::string>;

const Space plane;

constexpr std::array measures{Measure::hausdorff, Measure::dtw, Measure::edr, Measure::edwp};

SearchRequest request_for(Measure measure) {
  SearchRequest request{.k = 7, .measure = measure};
  request.settings = MeasureSettings{.epsilon = 3};
  return request;
}

// A collection, and the same trips in memory.
class ExactFiles : public testing::Test {
 protected:
  ExactFiles() { Collection::create(path, plane); }

  void add(std::size_t count, const std::string& prefix, std::uint64_t seed) {
    const Dataset data = small_trips(count, prefix, seed);
    Collection::open(path).add(data);
    for (std::size_t i = 0; i < data.size(); ++i) add_to_memory(data[i]);
  }
  void add_to_memory(const Trajectory& trip) {
    all.push_back({std::string(trip.id), {trip.points.begin(), trip.points.end()}, {}});
  }
  void remove(const Ids& ids) {
    Collection::open(path).remove(ids);
    std::erase_if(all, [&](const OwnedTrajectory& trip) {
      return std::find(ids.begin(), ids.end(), trip.id) != ids.end();
    });
  }

  MemoryTrips in_memory() const {
    DatasetBuilder builder(Coordinates::planar);
    for (const OwnedTrajectory& trip : all) builder.add({trip.id, trip.points, {}});
    return MemoryTrips(builder.finish(), plane);
  }

  void expect_right(const Collection& collection) const {
    const MemoryTrips truth = in_memory();
    for (const Measure measure : measures) {
      for (std::size_t q = 0; q < queries.size(); ++q) {
        SCOPED_TRACE(testing::Message() << name_of(measure) << " query " << q);
        SearchRequest request = request_for(measure);
        const SearchResult expected = truth.search(queries[q].points, request);
        const SearchResult found = collection.search(queries[q].points, request);
        EXPECT_EQ(ids_of(found), ids_of(expected));
        if (expected.answers.empty()) continue;
        request.within = expected.answers.back().distance;
        EXPECT_EQ(ids_of(collection.search(queries[q].points, request)),
                  ids_of(truth.search(queries[q].points, request)));
      }
    }
  }

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator(path)) {
      if (file.path().filename().string().starts_with("exact-")) found.push_back(file.path());
    }
    return found;
  }

  // As Collection::make_index(), with files of few trips.
  void make_small_files(IndexWork work, std::size_t most_trips, std::size_t most_points = 1 << 20) {
    Database database(path / "collection.db", Database::Access::write);
    const std::string identity = fact(database, "identity");
    make_exact_files({CollectionFolder(path), identity, plane, most_trips, most_points}, database,
                     work, {});
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "c";
  std::vector<OwnedTrajectory> all;
  Dataset queries = small_trips(3, "q", 77);
};

// A few thousand that wait cost a search little, and so does a tenth that was removed.
TEST(ExactBacklog, IsLargeByWhatWaitsOrWasRemoved) {
  EXPECT_FALSE((ExactBacklog{.rows = 4096}.is_large()));
  EXPECT_TRUE((ExactBacklog{.rows = 4097}.is_large()));
  EXPECT_FALSE((ExactBacklog{.removed = 4096, .held = 10'000}.is_large()));
  EXPECT_TRUE((ExactBacklog{.removed = 4097, .held = 10'000}.is_large()));
  EXPECT_FALSE((ExactBacklog{.removed = 100'000, .held = 1'000'000}.is_large()));
  EXPECT_TRUE((ExactBacklog{.removed = 100'001, .held = 1'000'000}.is_large()));
}

TEST_F(ExactFiles, GrowTogether) {
  const Collection reader = Collection::open(path);
  std::size_t most = 0;
  for (std::uint64_t round = 0; round < 16; ++round) {
    add(10, "r" + std::to_string(round) + "-", round + 1);
    Collection::open(path).make_index();
    most = std::max(most, files().size());
    expect_right(reader);
  }
  EXPECT_EQ(files().size(), 1u);  // of 160 rows
  EXPECT_EQ(most, 4u);            // 80, 40, 20 and 10
  reader.verify();
  EXPECT_EQ(reader.notes(), Ids());
}

TEST_F(ExactFiles, HaveRoomForSoManyTripsAndPoints) {
  add(100, "t", 1);
  make_small_files(IndexWork::extend, 30);
  EXPECT_EQ(files().size(), 4u);  // 30, 30, 30 and 10
  expect_right(Collection::open(path));
  add(15, "u", 2);
  make_small_files(IndexWork::extend, 30);
  EXPECT_EQ(files().size(), 4u);  // the last one of 25
  add(15, "v", 3);
  make_small_files(IndexWork::extend, 30);
  EXPECT_EQ(files().size(), 5u);  // and one of 15
  expect_right(Collection::open(path));
  Collection::open(path).verify();
  make_small_files(IndexWork::anew, 1000, 200);
  EXPECT_GT(files().size(), 8u);
  expect_right(Collection::open(path));
  Collection::open(path).verify();
}

TEST_F(ExactFiles, OfOneTripEach) {
  add(20, "t", 1);
  make_small_files(IndexWork::anew, 1);
  EXPECT_EQ(files().size(), 20u);
  expect_right(Collection::open(path));
  remove({"t3", "t4", "t19"});
  expect_right(Collection::open(path));
  make_small_files(IndexWork::anew, 1);
  EXPECT_EQ(files().size(), 17u);
  expect_right(Collection::open(path));
  Collection::open(path).verify();
}

// The same trips in several files and behind them: of equal distances the lower row wins.
TEST_F(ExactFiles, ShareTies) {
  const Dataset data = small_trips(6);
  for (const std::string copy : {"a", "b", "c", "d", "e"}) {
    DatasetBuilder builder(Coordinates::planar);
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::string id = copy + std::to_string(i);
      builder.add({id, data[i].points, {}});
    }
    const Dataset renamed = builder.finish();
    Collection::open(path).add(renamed);
    for (std::size_t i = 0; i < renamed.size(); ++i) add_to_memory(renamed[i]);
    if (copy != "e") make_small_files(IndexWork::extend, 6);
  }
  EXPECT_EQ(files().size(), 4u);
  expect_right(Collection::open(path));
  const SearchResult found =
      Collection::open(path).search(data[2].points, {.k = 5, .measure = Measure::frechet});
  EXPECT_EQ(ids_of(found), (Ids{"a2", "b2", "c2", "d2", "e2"}));
}

TEST_F(ExactFiles, WhatIsRemovedIsNoAnswer) {
  add(60, "t", 1);
  Collection::open(path).make_index();
  const Collection reader = Collection::open(path);
  expect_right(reader);
  for (const Ids& ids : {Ids{"t1"}, Ids{"t2", "t30"}, Ids{"t59"}}) {
    remove(ids);
    expect_right(reader);
    expect_right(Collection::open(path));
  }
  Collection::open(path).compact();
  expect_right(reader);
  reader.verify();
  Ids rest;
  for (const OwnedTrajectory& trip : all) rest.push_back(trip.id);
  remove(rest);
  expect_right(reader);
  Collection::open(path).compact();
  EXPECT_TRUE(files().empty());
  expect_right(reader);
  add(5, "n", 4);
  expect_right(reader);
  reader.verify();
}

TEST_F(ExactFiles, DamageChangesNoAnswer) {
  add(400, "t", 1);
  Collection::open(path).make_index();
  add(10, "u", 2);
  ASSERT_EQ(files().size(), 1u);
  const std::string content = read_file(files()[0]);
  std::size_t noted = 0;
  for (const Damage& damage : damages_of(content, 6, 1)) {
    SCOPED_TRACE(damage.section + " at " + std::to_string(damage.at));
    const Damaged damaged(files()[0], content, damage);
    const Collection collection = Collection::open(path);
    expect_right(collection);
    expect_error(ErrorCode::bad_input, "exact-.* was altered", "", [&] { collection.verify(); });
    const Ids notes = collection.notes();
    EXPECT_LE(notes.size(), 1u);
    for (const std::string& note : notes) {
      EXPECT_TRUE(matches(note, "was altered.*; its trips are read from the database instead"));
      ++noted;
    }
  }
  EXPECT_GT(noted, 25u);
}

TEST_F(ExactFiles, WhatIsNotOneOfOursIsMadeAnew) {
  add(50, "t", 1);
  Collection::open(path).make_index();
  const std::filesystem::path file = files().at(0);
  std::filesystem::copy(path, folder / "other");
  const std::string content = read_file(file);
  const std::vector<std::pair<std::string, std::string>> others{
      {"", "No such file"}, {content.substr(0, 700), "cut short|does not fit|bytes"}, {"x", ""}};
  for (const auto& [bytes, message] : others) {
    std::filesystem::remove(file);
    if (!bytes.empty()) write_file(file, bytes);
    {
      const Collection collection = Collection::open(path);
      expect_right(collection);
      ASSERT_EQ(collection.notes().size(), 1u);
      EXPECT_TRUE(matches(collection.notes()[0], message)) << collection.notes()[0];
    }
    std::filesystem::remove_all(path);
    std::filesystem::copy(folder / "other", path);
  }
  // Files of another collection.
  Collection::create(folder / "third", plane).add(small_trips(50));
  Collection::open(folder / "third").make_index();
  for (const auto& entry : std::filesystem::directory_iterator(folder / "third")) {
    if (!entry.path().filename().string().starts_with("exact-")) continue;
    std::filesystem::copy_file(entry.path(), file,
                               std::filesystem::copy_options::overwrite_existing);
  }
  Collection collection = Collection::open(path);
  expect_right(collection);
  EXPECT_TRUE(matches(collection.notes().at(0), "is not of this collection"));
  collection.make_index();
  const Collection mended = Collection::open(path);
  mended.verify();
  expect_right(mended);
  EXPECT_EQ(mended.notes(), Ids());
}

}  // namespace
}  // namespace tsmini
