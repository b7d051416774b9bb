// What a collection holds, and what becomes of it.
#include "tsmini/collection.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "store/small_collection.h"
#include "store/writing.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::vector<Position> points_of(const Dataset& data, std::size_t index) {
  return {data[index].points.begin(), data[index].points.end()};
}

class CollectionTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "c"; }
  Collection created(Measure measure = Measure::frechet) const {
    return Collection::create(path(), small_model(measure));
  }
  Collection filled(std::size_t count) const {
    Collection collection = created();
    collection.add(small_trips(count));
    return collection;
  }
  static SearchResult nearest(const Collection& collection, const Trajectory& query,
                              std::size_t k = 1, SearchMode mode = SearchMode::fast) {
    SearchRequest request;
    request.k = k;
    request.mode = mode;
    return collection.search(query.points, request);
  }
  // Every trip is its own nearest.
  static void expect_found(const Collection& collection, const Dataset& data) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
        const SearchResult result = nearest(collection, data[i], 1, mode);
        ASSERT_EQ(ids_of(result), std::vector{std::string(data[i].id)}) << name_of(mode);
        EXPECT_EQ(result.answers[0].distance, 0);
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(CollectionTest, IsEmptyWhenMade) {
  const Collection collection = created();
  EXPECT_EQ(collection.size(), 0u);
  EXPECT_EQ(collection.coordinates(), Coordinates::planar);
  EXPECT_EQ(only_model(collection).tail, 0u);
  EXPECT_FALSE(collection.info().extent);
  EXPECT_TRUE(collection.notes().empty());
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    EXPECT_TRUE(nearest(collection, small_trips(1)[0], 3, mode).answers.empty());
  }
  collection.verify();
}

TEST_F(CollectionTest, KeepsWhatWasAdded) {
  const Dataset data = small_trips(100);
  {
    Collection collection = created();
    const AddSummary summary = collection.add(data);
    EXPECT_EQ(summary.added, 100u);
    EXPECT_EQ(summary.replaced + summary.skipped + summary.unfit, 0u);
    expect_found(collection, data);
  }
  const Collection again = Collection::open(path());
  expect_found(again, data);
  again.verify();
  const CollectionInfo info = again.info();
  EXPECT_EQ(info.trips, 100u);
  EXPECT_EQ(info.points, data.point_count());
  EXPECT_EQ(*info.extent, data.info().extent);
  EXPECT_EQ(info.times->first, 0);
  EXPECT_EQ(info.models.at(0).tail, 100u);
  EXPECT_EQ(info.identity.size(), 32u);
  const auto trip = again.find("t4");
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->points, points_of(data, 4));
  EXPECT_EQ(trip->times, std::vector(data[4].times.begin(), data[4].times.end()));
  EXPECT_TRUE(again.find("t5")->times.empty());
  EXPECT_FALSE(again.find("t100"));
}

TEST_F(CollectionTest, IsTheSameWithAndWithoutAnIndex) {
  const Dataset first = small_trips(100), second = small_trips(40, "u", 2);
  for (const IndexKind kind : {IndexKind::flat, IndexKind::coded, IndexKind::hnsw}) {
    const auto place = folder_ / name_of(kind);
    Collection collection = Collection::create(place, small_model(), kind);
    collection.add(first);
    collection.make_index();
    EXPECT_EQ(only_model(collection).index, kind);
    EXPECT_EQ(only_model(collection).tail, 0u);
    collection.add(second);
    EXPECT_EQ(only_model(collection).indexed, 100u);
    EXPECT_EQ(only_model(collection).tail, 40u);
    expect_found(collection, first);
    expect_found(collection, second);
    collection.make_index();
    EXPECT_EQ(only_model(collection).indexed, 140u);
    expect_found(collection, second);
    const Collection again = Collection::open(place);
    EXPECT_EQ(only_model(again).indexed, 140u);
    expect_found(again, first);
    again.verify();
    EXPECT_TRUE(again.notes().empty());
  }
}

TEST_F(CollectionTest, RefusesAnIdTwice) {
  Collection collection = filled(10);
  const Dataset more = small_trips(12, "t", 5);
  expect_error(ErrorCode::bad_input, "'t0' is in the collection already", "`duplicates=replace`",
               [&] { collection.add(more); });
  EXPECT_EQ(collection.size(), 10u);
  DatasetBuilder twice(Coordinates::planar);
  twice.add(small_trips(1, "a")[0]);
  twice.add(small_trips(1, "a", 2)[0]);
  const Dataset data = twice.finish();
  expect_error(ErrorCode::bad_input, "'a0' comes twice in the data", "",
               [&] { collection.add(data); });

  AddOptions options;
  options.duplicates = Duplicates::skip;
  AddSummary summary = collection.add(more, options);
  EXPECT_EQ(summary.added, 2u);
  EXPECT_EQ(summary.skipped, 10u);
  EXPECT_EQ(collection.find("t3")->points, points_of(small_trips(10), 3));
  options.duplicates = Duplicates::replace;
  summary = collection.add(more, options);
  EXPECT_EQ(summary.added, 12u);
  EXPECT_EQ(summary.replaced, 12u);
  EXPECT_EQ(collection.size(), 12u);
  EXPECT_EQ(collection.find("t3")->points, points_of(more, 3));
  summary = collection.add(data, options);
  EXPECT_EQ(summary.added, 1u);
  EXPECT_EQ(summary.skipped, 1u);
  EXPECT_EQ(collection.find("a0")->points, points_of(data, 1));
  collection.verify();
}

TEST_F(CollectionTest, RemovedTripsAreNoAnswers) {
  const Dataset data = small_trips(60);
  Collection collection = created();
  collection.add(data);
  collection.make_index();
  collection.add(small_trips(20, "u", 2));
  const Collection reader = Collection::open(path());
  EXPECT_EQ(ids_of(nearest(reader, data[7])), std::vector<std::string>{"t7"});
  EXPECT_EQ(ids_of(nearest(reader, data[7], 1, SearchMode::exact)), std::vector<std::string>{"t7"});
  const std::vector<std::string> ids{"t7", "u3"};
  EXPECT_EQ(collection.remove(ids), 2u);
  for (const Collection* c : {&reader, static_cast<const Collection*>(&collection)}) {
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
      const std::vector<std::string> found = ids_of(nearest(*c, data[7], 80, mode));
      EXPECT_EQ(found.size(), 78u);
      EXPECT_EQ(std::count(found.begin(), found.end(), "t7"), 0);
      EXPECT_EQ(std::count(found.begin(), found.end(), "u3"), 0);
    }
    EXPECT_EQ(only_model(*c).removed, 1u);
    EXPECT_EQ(only_model(*c).tail, 19u);
    EXPECT_EQ(c->size(), 78u);
  }
  collection.verify();
  // The row is not used again.
  const std::uint64_t last = collection.find("u19")->row;
  collection.remove(std::vector<std::string>{"u19"});
  collection.add(small_trips(1, "v", 3));
  EXPECT_GT(collection.find("v0")->row, last);
}

TEST_F(CollectionTest, RemovesAllOrNone) {
  Collection collection = filled(10);
  const std::vector<std::string> ids{"t1", "nobody", "t2"};
  expect_error(ErrorCode::bad_input, "no trip 'nobody'", "nothing was removed",
               [&] { collection.remove(ids); });
  EXPECT_EQ(collection.size(), 10u);
  EXPECT_EQ(collection.remove(ids, true), 2u);
  EXPECT_EQ(collection.size(), 8u);
}

TEST_F(CollectionTest, CompactGivesSpaceBack) {
  const Dataset data = small_trips(400);
  Collection collection = created();
  collection.add(data);
  collection.make_index();
  const Collection reader = Collection::open(path());
  nearest(reader, data[0], 1, SearchMode::exact);
  std::vector<std::string> ids;
  for (int i = 0; i < 300; ++i) ids.push_back("t" + std::to_string(i));
  collection.remove(ids);
  const CollectionInfo before = collection.info();
  EXPECT_EQ(before.models.at(0).removed, 300u);
  collection.compact();
  const CollectionInfo after = collection.info();
  EXPECT_EQ(after.models.at(0).indexed, 100u);
  EXPECT_EQ(after.models.at(0).removed, 0u);
  EXPECT_LT(after.bytes, before.bytes / 2);
  EXPECT_EQ(ids_of(nearest(reader, data[350], 1, SearchMode::exact)),
            std::vector<std::string>{"t350"});
  EXPECT_EQ(nearest(reader, data[0], 500).answers.size(), 100u);
  collection.add(small_trips(10, "u", 2));
  collection.make_index();
  EXPECT_EQ(only_model(collection).indexed, 110u);
  expect_found(collection, small_trips(10, "u", 2));
  collection.verify();
  // Only the files in use are left.
  std::size_t indexes = 0;
  for (const auto& file : std::filesystem::directory_iterator(path())) {
    indexes += file.path().filename().string().starts_with("index-") ? 1u : 0u;
  }
  EXPECT_EQ(indexes, 1u);
}

TEST_F(CollectionTest, OfWhichAllWasRemoved) {
  Collection collection = filled(3);
  collection.make_index();
  collection.remove(std::vector<std::string>{"t0", "t1", "t2"});
  EXPECT_TRUE(nearest(collection, small_trips(1)[0]).answers.empty());
  collection.compact();
  EXPECT_FALSE(only_model(collection).index);
  collection.verify();
  collection.add(small_trips(5));
  expect_found(collection, small_trips(5));
}

TEST_F(CollectionTest, SaysWhenAnIndexIsWanted) {
  Collection collection = filled(900);
  EXPECT_FALSE(collection.wants_index());
  collection.add(small_trips(200, "u", 2));
  EXPECT_TRUE(collection.wants_index());
  collection.make_index();
  EXPECT_FALSE(collection.wants_index());
}

TEST_F(CollectionTest, KeepsWhatTheModelCannotTake) {
  Collection collection = created();
  expect_error(ErrorCode::bad_input,
               "trips of the collection are planar, those to be added degrees", "", [&] {
                 collection.add(built({{"d", {{1, 2}, {3, 4}}, {}}}));
               });
  const Dataset far = built({{"a", {{100, 100}, {200, 200}}, {}}, {"b", {{1e6, 0}, {0, 0}}, {}}},
                            {}, Coordinates::planar);
  const AddSummary summary = collection.add(far);
  EXPECT_EQ(summary.added, 2u);
  EXPECT_EQ(summary.unfit, 1u);
  EXPECT_TRUE(matches(summary.first_unfit, "'b' leaves the box of the model at 1000000, 0"));
  EXPECT_EQ(only_model(collection).unfit, 1u);
  EXPECT_EQ(only_model(collection).tail, 1u);
  // It is found in every mode, also by itself, which the model cannot take either.
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    const SearchResult found = nearest(collection, far[0], 2, mode);
    EXPECT_EQ(ids_of(found), (std::vector<std::string>{"a", "b"})) << name_of(mode);
    EXPECT_EQ(found.mode, mode);
    EXPECT_EQ(found.estimated(), mode == SearchMode::fast);
    EXPECT_EQ(found.measure, Measure::frechet);
    const SearchResult outside = nearest(collection, far[1], 2, mode);
    EXPECT_EQ(ids_of(outside), (std::vector<std::string>{"b", "a"})) << name_of(mode);
    EXPECT_EQ(outside.mode, SearchMode::exact);
    EXPECT_FALSE(outside.estimated());
  }
  collection.make_index();
  collection.verify();
  EXPECT_EQ(ids_of(nearest(collection, far[0], 2)), (std::vector<std::string>{"a", "b"}));
  collection.remove(std::vector<std::string>{"b"});
  EXPECT_EQ(ids_of(nearest(collection, far[0], 2)), std::vector<std::string>{"a"});
  EXPECT_EQ(only_model(collection).unfit, 0u);
  collection.compact();
  collection.verify();
  expect_error(ErrorCode::usage, "k must be at least 1", "",
               [&] { collection.search(far[0].points, {.k = 0}); });
}

TEST_F(CollectionTest, RefusesWhatTheSpaceDoesNotReach) {
  Collection collection =
      Collection::create(path(), Space::from_json(R"({"kind":"ground","lon":9,"lat":45})"));
  const Dataset data = built({{"a", {{9, 45}, {9.1, 45}}, {}}, {"b", {{70, 40}, {70.1, 40}}, {}}});
  expect_error(ErrorCode::bad_input, "'b' at 70, 40 is .* from the central meridian",
               "`skip_impossible`", [&] { collection.add(data); });
  EXPECT_EQ(collection.size(), 0u);
  AddOptions options;
  options.skip_impossible = true;
  const AddSummary summary = collection.add(data, options);
  EXPECT_EQ(summary.added, 1u);
  EXPECT_EQ(summary.left_out, 1u);
  EXPECT_TRUE(matches(summary.first_left_out, "'b' at 70, 40"));
  expect_error(ErrorCode::bad_input, "the query at 70, 40 is ", "region",
               [&] { collection.search(data[1].points); });
}

// Weights that are finite, and so large that what comes of them is not.
TEST_F(CollectionTest, DoesWithoutEmbeddingsThatNoSearchCouldUse) {
  for (const float factor : {1e30F, 1e12F}) {
    Model model = small_model();
    for (auto& [name, tensor] : model.tensors) {
      for (float& value : tensor.values) value *= factor;
    }
    const auto folder = folder_ / std::to_string(factor);
    Collection collection = Collection::create(folder, model);
    const AddSummary summary = collection.add(small_trips(20));
    EXPECT_EQ(summary.added, 20u);
    EXPECT_EQ(summary.unfit, 20u);
    EXPECT_TRUE(matches(summary.first_unfit, "'t0' gets an embedding .* not finite or too large"));
    expect_found(collection, small_trips(20));
    collection.make_index();
    collection.verify();
    EXPECT_EQ(nearest(collection, small_trips(1)[0]).mode, SearchMode::exact);
  }
}

TEST_F(CollectionTest, EdwpPassesOverTripsOfOnePoint) {
  Collection collection = created(Measure::edwp);
  const Dataset data =
      built({{"a", {{100, 100}}, {}}, {"b", {{100, 100}, {200, 200}}, {}}, {"c", {{1e6, 0}}, {}}},
            {}, Coordinates::planar);
  EXPECT_EQ(collection.add(data).unfit, 2u);
  EXPECT_EQ(collection.info().of_one_point, 2u);
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    EXPECT_EQ(ids_of(nearest(collection, data[1], 3, mode)), std::vector<std::string>{"b"});
  }
  EXPECT_EQ(ids_of(collection.search(data[1].points, {.within = 1e9})),
            std::vector<std::string>{"b"});
  EXPECT_EQ(ids_of(collection.search(data[0].points, {.measure = Measure::frechet})),
            (std::vector<std::string>{"a", "b", "c"}));
  collection.verify();
}

TEST_F(CollectionTest, StopsWhereProgressThrows) {
  Collection collection = created();
  const auto stop = [](const ProgressState& state) {
    if (state.done > 0) throw Error(ErrorCode::interrupted, "stopped by the user");
  };
  expect_error(ErrorCode::interrupted, "interrupted; 8,192 of 9,000 trips were added and stay", "",
               [&] { collection.add(small_trips(9000), {}, stop); });
  EXPECT_EQ(collection.size(), most_embedded_at_once);
  AddOptions options;
  options.duplicates = Duplicates::skip;
  EXPECT_EQ(collection.add(small_trips(9000), options).added, 9000 - most_embedded_at_once);
  // Once a trip and once an embedding of it, every 1024 of them and at the end.
  std::vector<std::uint64_t> told;
  collection.verify([&](const ProgressState& state) {
    EXPECT_EQ(state.total, 18'000u);
    told.push_back(state.done);
  });
  ASSERT_GE(told.size(), 17u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 18'000u);
}

TEST_F(CollectionTest, TripsAround) {
  const Dataset data = small_trips(50);
  Collection collection = created();
  collection.add(data);
  const Box box{400, 400, 1200, 1200};
  std::size_t touching = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto points = data[i].points;
    double low_x = 1e9, low_y = 1e9, high_x = -1e9, high_y = -1e9;
    for (const Position& p : points) {
      low_x = std::min(low_x, p.lon), high_x = std::max(high_x, p.lon);
      low_y = std::min(low_y, p.lat), high_y = std::max(high_y, p.lat);
    }
    touching += low_x <= 1200 && low_y <= 1200 && high_x >= 400 && high_y >= 400 ? 1u : 0u;
  }
  ASSERT_GT(touching, 5u);
  EXPECT_EQ(collection.around(box, 1000).size(), touching);
  EXPECT_EQ(collection.around(box, 3).size(), 3u);
  EXPECT_EQ(collection.around({-9, -9, -8, -8}, 3).size(), 0u);
}

TEST_F(CollectionTest, ReadersFollowAWriter) {
  Collection writer = created();
  const Dataset probe = small_trips(1, "p", 9);
  writer.add(probe);
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  const Collection shared = Collection::open(path());
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      const Collection own = Collection::open(path());
      const Collection& reader = r == 0 ? own : shared;
      std::size_t seen = 0;
      while (!done) {
        const SearchMode mode = seen % 2 == 0 ? SearchMode::fast : SearchMode::exact;
        const SearchResult result = nearest(reader, probe[0], 1'000'000, mode);
        EXPECT_EQ(result.answers.at(0).trip.id, "p0");
        EXPECT_GE(result.answers.size(), seen);
        seen = result.answers.size();
      }
    });
  }
  for (std::size_t batch = 0; batch < 10; ++batch) {
    writer.add(small_trips(20, "b" + std::to_string(batch) + "-", batch + 20));
    if (batch % 4 == 3) writer.make_index();
  }
  done = true;
  for (std::thread& thread : readers) thread.join();
  EXPECT_EQ(nearest(shared, probe[0], 1000).answers.size(), 201u);
  writer.verify();
}

// Others read while the writer goes: what it wrote is in the database all the same.
TEST_F(CollectionTest, LeavesNoLogBehind) {
  filled(40);
  const auto log_size = [&] {
    std::error_code none;
    const auto size = std::filesystem::file_size(path() / "collection.db-wal", none);
    return none ? 0 : size;
  };
  {
    const Collection reader = Collection::open(path());
    EXPECT_GT(reader.search(small_trips(1)[0].points).answers.size(), 0u);
    {
      Collection writer = Collection::open(path());
      writer.add(small_trips(300, "log", 8));
      writer.make_index();
      writer.compact();
    }
    EXPECT_EQ(log_size(), 0u);
    EXPECT_GT(reader.search(small_trips(1)[0].points).answers.size(), 0u);
  }
  Collection::open(path()).make_index();
  EXPECT_EQ(log_size(), 0u);
}

}  // namespace
}  // namespace tsmini
