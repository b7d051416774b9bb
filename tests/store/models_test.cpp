// Models that come to a collection and go.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "store/writing.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class StoreModels : public testing::Test {
 protected:
  Collection created() const { return Collection::create(folder_ / "c", Space()); }

  static Names names_of(const Collection& collection) {
    Names names;
    for (const CollectionModel& model : collection.models()) names.push_back(model.name);
    return names;
  }

  // Files of models and indexes.
  std::size_t files(const std::string& prefix) const {
    std::size_t count = 0;
    for (const auto& file : fs::directory_iterator(folder_ / "c")) {
      count += file.path().filename().string().starts_with(prefix) ? 1u : 0u;
    }
    return count;
  }

  static void expect_found(const Collection& collection, const Dataset& data, Measure measure) {
    for (std::size_t i = 0; i < data.size(); i += 7) {
      for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
        const SearchRequest request{.k = 1, .measure = measure, .mode = mode};
        EXPECT_EQ(ids_of(collection.search(data[i].points, request)),
                  Names{std::string(data[i].id)});
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(StoreModels, ComeAndGo) {
  const Dataset data = small_trips(60);
  Collection collection = created();
  const Collection reader = Collection::open(folder_ / "c");
  EXPECT_EQ(names_of(reader), Names());
  collection.add(data);
  EXPECT_EQ(reader.search(data[0].points).mode, SearchMode::exact);
  EXPECT_EQ(collection.add_model(small_model()), "frechet");
  EXPECT_EQ(collection.add_model(small_model(Measure::dtw), {.name = "mine"}), "mine");
  EXPECT_EQ(names_of(reader), (Names{"frechet", "mine"}));
  expect_found(reader, data, Measure::frechet);
  expect_found(reader, data, Measure::dtw);
  const Dataset more = small_trips(20, "u", 2);
  collection.add(more);
  expect_found(reader, more, Measure::dtw);
  collection.make_index();
  EXPECT_EQ(files("index-"), 2u);
  EXPECT_EQ(files("model-"), 2u);
  collection.verify();
  collection.remove_model("frechet");
  EXPECT_EQ(names_of(reader), Names{"mine"});
  EXPECT_EQ(files("index-"), 1u);
  EXPECT_EQ(files("model-"), 1u);
  EXPECT_EQ(reader.search(data[0].points).measure, Measure::dtw);
  expect_found(reader, data, Measure::dtw);
  expect_error(ErrorCode::usage, "fast needs a model of frechet, and there are models 'mine'",
               "`mode=exact`", [&] {
                 reader.search(data[0].points,
                               {.measure = Measure::frechet, .mode = SearchMode::fast});
               });
  collection.compact();
  collection.verify();
  expect_found(Collection::open(folder_ / "c"), more, Measure::dtw);
}

TEST_F(StoreModels, HaveNames) {
  Collection collection = created();
  Model another = small_model();
  another.calibration.scale = 5;
  EXPECT_EQ(collection.add_model(small_model()), "frechet");
  EXPECT_EQ(collection.add_model(small_model()), "frechet") << "it is there already";
  EXPECT_EQ(collection.add_model(another), "frechet-2");
  Model third = another;
  third.calibration.scale = 6;
  expect_error(ErrorCode::usage, "has another model 'frechet'", "another name",
               [&] { collection.add_model(third, {.name = "frechet"}); });
  expect_error(ErrorCode::bad_input, "has no model 'dtw'", "its models are frechet, frechet-2",
               [&] { collection.remove_model("dtw"); });
  EXPECT_EQ(files("model-"), 2u);
}

TEST_F(StoreModels, GoOnWhereTheyWereStopped) {
  const Dataset data = small_trips(5000);
  Collection collection = created();
  collection.add(data);
  const auto stop = [](const ProgressState& state) {
    if (state.done > 0) throw Error(ErrorCode::interrupted, "stopped by the user");
  };
  expect_error(ErrorCode::interrupted, "the model 'frechet' stays", "add it again",
               [&] { collection.add_model(small_model(), {}, stop); });
  EXPECT_FALSE(only_model(collection).is_complete);
  EXPECT_EQ(only_model(collection).tail, 2048u);
  collection.verify();
  const auto by = [&](SearchMode mode) {
    return collection.search(data[4500].points, {.k = 1, .mode = mode});
  };
  expect_error(ErrorCode::usage, "the model 'frechet' has not seen all trips yet", "`mode=exact`",
               [&] { by(SearchMode::fast); });
  EXPECT_EQ(ids_of(by(SearchMode::exact)), Names{"t4500"});
  // Others add and remove before it goes on.
  collection.add(small_trips(10, "u", 2));
  collection.remove(Names{"t3", "t4000", "u1"});
  collection.make_index();
  Collection again = Collection::open(folder_ / "c");
  std::uint64_t first = 0;
  again.add_model(small_model(), {}, [&](const ProgressState& state) {
    if (first == 0) first = state.done;
  });
  EXPECT_GE(first, 2048u) << "it began anew";
  EXPECT_TRUE(only_model(collection).is_complete);
  EXPECT_EQ(only_model(collection).tail, 5007u);
  again.verify();
  EXPECT_EQ(ids_of(by(SearchMode::fast)), Names{"t4500"});
}

TEST_F(StoreModels, AreAddedWhileOthersWrite) {
  Collection collection = created();
  collection.add(small_trips(3000));
  std::thread writer([&] {
    Collection other = Collection::open(folder_ / "c");
    for (int batch = 0; batch < 10; ++batch) {
      const std::string prefix = "b" + std::to_string(batch) + "-";
      other.add(small_trips(40, prefix, static_cast<std::uint64_t>(batch) + 20));
      other.remove(Names{prefix + "3", "t" + std::to_string(100 * batch)});
    }
  });
  collection.add_model(small_model());
  Collection::open(folder_ / "c").add_model(small_model(Measure::dtw));
  writer.join();
  collection.verify();
  EXPECT_EQ(collection.size(), 3000u + 10 * 38);
  for (const CollectionModel& model : collection.models()) {
    EXPECT_TRUE(model.is_complete);
    EXPECT_EQ(model.tail, collection.size());
  }
  expect_found(collection, small_trips(3, "b9-", 29), Measure::dtw);
}

// Both at once, in one process and in two: each row is embedded once.
// The next trips are embedded while others are written, by the models that were there then.
TEST_F(StoreModels, ComeAndGoBetweenTheTransactionsOfOneAdd) {
  const Dataset data = small_trips(2 * most_embedded_at_once + 50);
  Collection collection = created();
  collection.add_model(small_model());
  int changes = 0;
  const auto change = [&](const ProgressState& state) {
    const bool is_first = state.done == most_embedded_at_once && changes == 0;
    const bool is_second = state.done == 2 * most_embedded_at_once && changes == 1;
    if (!is_first && !is_second) return;
    ++changes;
    std::thread([&] {
      Collection other = Collection::open(folder_ / "c");
      if (is_first) {
        other.add_model(small_model(Measure::dtw));
      } else {
        other.remove_model("frechet");
      }
    }).join();
  };
  EXPECT_EQ(collection.add(data, {}, change).added, data.size());
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(names_of(collection), Names{"dtw"});
  EXPECT_TRUE(only_model(collection).is_complete);
  EXPECT_EQ(only_model(collection).tail, data.size());
  collection.verify();
  for (const std::size_t i : {std::size_t{0}, most_embedded_at_once + 5, data.size() - 1}) {
    const SearchResult result =
        collection.search(data[i].points, {.k = 1, .mode = SearchMode::fast});
    EXPECT_EQ(ids_of(result), Names{std::string(data[i].id)});
  }
}

TEST_F(StoreModels, AreAddedByTwoAtOnce) {
  Collection collection = created();
  collection.add(small_trips(5000));
  std::thread other([&] { Collection::open(folder_ / "c").add_model(small_model()); });
  collection.add_model(small_model());
  other.join();
  collection.verify();
  EXPECT_EQ(names_of(collection), Names{"frechet"});
  EXPECT_EQ(only_model(collection).tail, 5000u);
}

TEST_F(StoreModels, MustMeasureInTheSameSpace) {
  Collection collection =
      Collection::create(folder_ / "c", Space::from_json(R"({"kind":"ground","lon":9,"lat":45})"));
  expect_error(ErrorCode::bad_input, "in the space 'planar' .*the trips are in 'ground'",
               "train one .*`space=ground`", [&] { collection.add_model(small_model()); });
  EXPECT_EQ(names_of(collection), Names());
  EXPECT_EQ(files("model-"), 0u);
}

TEST_F(StoreModels, FilesOfOthersStay) {
  Collection collection = created();
  collection.add(small_trips(50));
  collection.add_model(small_model());
  const Names others{"exact-notes.txt", "index-of-files.html", "exact-0123456789ab.bak",
                     ".index-.tmp", "index-0123456789AB"};
  for (const std::string& name : others) write_file(folder_ / "c" / name, "mine");
  write_file(folder_ / "c/exact-0123456789ab", "left behind");
  collection.compact();
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(folder_ / "c" / name)) << name;
  EXPECT_FALSE(fs::exists(folder_ / "c/exact-0123456789ab"));
}

TEST_F(StoreModels, FilesLeftBehindAreRemoved) {
  Collection collection = created();
  write_file(folder_ / "c/model-1.safetensors", "of one who was killed while adding");
  collection.add_model(small_model());
  EXPECT_EQ(files("model-"), 1u);
  collection.remove_model("frechet");
  write_file(folder_ / "c/model-1.safetensors", "of one who was killed while removing");
  write_file(folder_ / "c/model-mine.safetensors", "somebody's own");
  write_file(folder_ / "c/model-9.safetensors", "somebody's own");
  collection.add_model(small_model());
  EXPECT_EQ(files("model-"), 3u);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c/model-1.safetensors"));
  Collection::open(folder_ / "c").verify();
}

}  // namespace
}  // namespace tsmini
