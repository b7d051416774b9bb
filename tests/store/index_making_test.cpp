// Several who make an index of one collection at once, and what they leave behind.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

class IndexMaking : public testing::Test {
 protected:
  IndexMaking() { Collection::create(path_, small_model(), IndexKind::hnsw).add(data_); }

  // Does something while the index is being made, once.
  static Progress meanwhile(const std::function<void()>& work) {
    return [work, done = false](const ProgressState&) mutable {
      if (!std::exchange(done, true)) work();
    };
  }

  Names ids() const {
    Names ids;
    for (std::size_t i = 0; i < data_.size(); ++i) ids.emplace_back(data_[i].id);
    return ids;
  }

  // Everything but what belongs to the database and the model.
  Names index_files() const {
    Names names;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      const std::string name = file.path().filename().string();
      if (name.find("index-") != std::string::npos) names.push_back(name);
    }
    return names;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "c";
  Dataset data_ = small_trips(40);
};

// No name before and no name after, but what was removed in between is forgotten.
TEST_F(IndexMaking, IsNotPutInForceAfterACompaction) {
  Collection collection = Collection::open(path_);
  collection.make_index(meanwhile([&] {
    Collection other = Collection::open(path_);
    other.make_index();
    other.remove(ids());
    other.compact();
  }));
  EXPECT_EQ(collection.size(), 0u);
  EXPECT_EQ(only_model(collection).indexed, 0u);
  EXPECT_TRUE(collection.search(data_[0].points).answers.empty());
  collection.verify();
  EXPECT_EQ(index_files(), Names());
}

TEST_F(IndexMaking, LeavesTheIndexOfOneWhoWasQuicker) {
  Collection collection = Collection::open(path_);
  Names files;
  collection.make_index(meanwhile([&] {
    Collection other = Collection::open(path_);
    other.add(small_trips(5, "u", 2));
    other.make_index();
    files = index_files();
  }));
  EXPECT_EQ(files.size(), 1u);
  EXPECT_EQ(index_files(), files);
  EXPECT_EQ(only_model(collection).indexed, 45u);
  collection.verify();
}

TEST_F(IndexMaking, ACompactionForgetsWhatWasRemovedWhoeverElseIsAtWork) {
  Collection collection = Collection::open(path_);
  collection.make_index();
  collection.remove(Names{"t3", "t4"});
  collection.compact(meanwhile([&] {
    Collection other = Collection::open(path_);
    other.add(small_trips(5, "u", 2));
    other.make_index();
  }));
  EXPECT_EQ(only_model(collection).removed, 0u);
  EXPECT_EQ(only_model(collection).indexed, 43u);
  EXPECT_EQ(index_files().size(), 1u);
  collection.verify();
}

TEST_F(IndexMaking, RemovesWhatWasLeftBehind) {
  Collection collection = Collection::open(path_);
  write_file(path_ / "index-000000000000", "never put in force");
  write_file(path_ / ".index-111111111111.77.tmp", "of a process that was killed");
  collection.make_index();
  EXPECT_EQ(index_files().size(), 1u);
  collection.verify();
}

TEST_F(IndexMaking, LeavesTheWorkOfOthersAlone) {
  Collection collection = Collection::open(path_);
  const Names work{".index-111111111111.77.tmp", "index-000000000000"};
  collection.make_index(meanwhile([&] {
    for (const std::string& name : work) write_file(path_ / name, "in hand");
    Collection other = Collection::open(path_);
    other.make_index();
    EXPECT_EQ(only_model(other).indexed, 40u);
    for (const std::string& name : work) EXPECT_TRUE(std::filesystem::exists(path_ / name));
  }));
  EXPECT_EQ(index_files().size(), 1u);
}

}  // namespace
}  // namespace tsmini
